for size in 4x3 3x4; do
    for goal in blank-last blank-first blank-top-right blank-bottom-left; do
        taquin shuffle --size $size --goal $goal --moves 12 --seed 1 |
            taquin solve --json --no-build --pdb-dir shared --goal $goal - |
            taquin apply --goal $goal --format letters - && echo $size $goal
    done
done
