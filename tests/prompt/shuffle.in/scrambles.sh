# Five scrambles lead from the goal $1 to their boards, and are as long as their solutions; $2 is what moves.
how="--size 3x3 --seed 5 -n 5 --goal $1"
goal=$(taquin shuffle --seed 1 --moves 0 --size 3x3 --goal $1)
taquin shuffle $how > boards
taquin shuffle $how --as moves --directions $2 | tee scrambles
while read -r scramble; do
    taquin apply --json --moves $2 "$goal" $scramble
done < scrambles | sed 's/.*"end":.\([0-9,]*\).*/\1/' > ends
tr -d / < boards | tr -s ' ' , | cmp - ends
taquin shuffle $how --as moves --directions $2 --json | grep -o '"scramble.*' > objects
sed 's/"scramble":"\([A-Z]*\).*/\1/' objects | cmp - scrambles
sed 's/.*":\([0-9]*\)}/\1/' objects > lengths
taquin solve --json --goal $1 --file boards | sed 's/.*"length":\([0-9]*\).*/\1/' | cmp - lengths
grep -c directions objects
