# Solves ten boards for each goal, replays them, and prints their lengths.
for how in '--moves 15' --uniform ''; do
    for goal in blank-first snake '8 7 6 / 5 4 3 / 2 1 0'; do
        taquin shuffle --size 3x3 --goal "$goal" --seed 5 -n 10 $how |
            taquin solve --json --goal "$goal" - > solved
        taquin apply --goal "$goal" --format letters - < solved > moves || echo failed
        echo $(sed 's/.*"length":\([0-9]*\).*/\1/' solved)
    done
done
