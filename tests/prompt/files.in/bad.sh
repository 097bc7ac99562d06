# Ten lines, eight of them bad: the fifth has a million ones.
{
    printf '1 2 3 0\n1 2 \377 0\n1 2 3\000 0\n1 2 2 0\n'
    head -c 1048576 /dev/zero | tr '\000' 1
    printf '\n1 x 3 0\n2 1 3 0\n1 2 3 4\n1 2 3\n1 0 3 2\n'
} > bad.txt
