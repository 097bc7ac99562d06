while read -r name board; do
    echo "$name"
    taquin check --goal "$name" --file five.txt 2> errors | tee by-name | sed 's/[.] The board can.*//'
    taquin check --goal "$board" --file five.txt 2> errors | cmp - by-name
done << GOALS
blank-first 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
blank-last 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0
blank-top-right 1 2 3 0 4 5 6 7 8 9 10 11 12 13 14 15
blank-bottom-left 1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15
spiral 1 2 3 4 12 13 14 5 11 0 15 6 10 9 8 7
GOALS
