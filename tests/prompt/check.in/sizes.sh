for size in 2x2 3x2 2x7 5x5 16x16 128x2; do
    taquin shuffle --size $size --seed 3 --count 20 > boards
    awk '{ for (i = 1; i <= NF; i++) if ($i == 1 || $i == 2) $i = 3 - $i; print }' boards > exchanged
    echo $size $(taquin check - < boards | grep -c '^solvable: ') \
        $(taquin check - < exchanged 2> errors | grep -c '^unsolvable: ')
done
