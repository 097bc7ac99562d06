# Lists of moves that reach the goal as moves of $1. Those of the blank are not taken silently for moves of tiles.
while read -r list; do
    board=${list%%: *}
    moves=$(printf "${list#*: }")
    taquin apply --json --moves $1 "$board" "$moves" | sed 's/.*\("length":[0-9]*\).*\("reached.*\)}/\1 \2/'
    taquin apply "$board" "$moves" 2>&1 | tail -n 1
done
