# A solution in every format reaches the goal, and is the same in the others.
board='8 6 7 / 2 5 4 / 3 0 1'
letters=$(taquin solve --format letters "$board")
for format in columns numbered words letters runs counts arrows tiles boards json; do
    taquin solve --format $format "$board" > moves
    echo "$format: $(taquin apply "$board" - < moves | tail -n 1)"
    [ "$(taquin apply --format letters "$board" - < moves)" = "$letters" ] || echo other letters
    [ $format = json ] || taquin apply --format $format "$board" - < moves | cmp - moves
    case $format in
    boards | json) taquin apply '8 6 7 / 2 5 4 / 3 1 0' - < moves ;;
    esac
done
