# Solves eight boards by each of some methods, and replays them. Prints the lengths, bounds and gaps, and whether they
# are optimal.
taquin shuffle --size 3x3 --seed 4 --count 8 > boards
for method; do
    taquin solve --json $method - < boards > solved
    taquin apply --format letters - < solved > moves && echo "$method"
    for field in length lower_bound gap optimal; do
        echo "  $field:" $(sed -n "s/.*\"$field\":\([a-z0-9]*\).*/\1/p" solved)
    done
done
