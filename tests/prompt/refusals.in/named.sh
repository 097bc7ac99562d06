# The goals that names stand for.
goal() {
    taquin check --json --goal "$1" "$2" | sed 's/.*"goal":\(\[[0-9,]*\]\).*/\1/'
}
while IFS= read -r name; do
    echo "$name: $(goal "$name" '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12')"
done <names.txt
for name in blank-last blank-first blank-top-right blank-bottom-left snake columns; do
    echo "$name: $(goal $name '1 2 3 / 4 5 0')"
done
echo "spiral: $(goal spiral '1 2 / 3 4 / 5 6 / 7 8 / 9 0')"
echo "spiral: $(goal spiral '1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 0')"
