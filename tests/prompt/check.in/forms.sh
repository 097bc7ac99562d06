# Checks each text as an argument, as a stream, and twice in a stream with a comment.
while read -r text; do
    text=$(printf "$text")
    taquin check --json "$text"
    echo "$text" | taquin check --json -
    printf '# two\n%s\n\n%s\n' "$text" "$text" | taquin check --json
done << 'TEXTS' | sed 's/.*"width"/"width"/'
1 2 3 / 4 0 6 / 7 5 8
123406758
abcd0fgeh
ABCD_FGEH
123/406/758
abc d0f geh
3\n1 2 3\n4 0 6\n7 5 8
3x3\n1 2 3 4 0 6 7 5 8
a b c d 0 f g e h
TEXTS
