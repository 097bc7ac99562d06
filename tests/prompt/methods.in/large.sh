# Solves a board of each size by the method $1 for the goal $2, and replays it. Says whether the bound is below the length.
method=$1 goal=$2
shift 2
for size; do
    taquin shuffle --size $size --goal $goal --seed 8 |
        taquin solve --json --method $method --goal $goal --node-limit 200000 - > solved
    length=$(sed 's/.*"length":\([0-9]*\).*/\1/' solved)
    bound=$(sed 's/.*"lower_bound":\([0-9]*\).*/\1/' solved)
    taquin apply --goal $goal - < solved > told && tail -n 1 told
    [ $bound -lt $length ] || echo "$bound of $length"
done
