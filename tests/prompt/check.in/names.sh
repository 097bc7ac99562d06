for size in 2x2 3x2 4x4 5x3 16x16; do
    for name in blank-last blank-first blank-top-right blank-bottom-left spiral snake columns; do
        board=$(taquin shuffle --seed 1 --moves 0 --size $size --goal $name)
        taquin check --goal $name "$board"
        taquin check --goal "$board" "$board"
    done
done
