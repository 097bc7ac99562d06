# The last two lines of details about a board, and the boards that the lines about three boards name, in order.
first='8 6 7 / 2 5 4 / 3 0 1' second='6 4 7 / 8 5 0 / 3 2 1'
for method; do
    taquin solve -v $method "$first" 2>&1 > moves | sed 's/ expanded, .*, / expanded, /' | tail -n 2
    taquin solve -v $method "$first" "$second" "$first" 2>&1 > moves | sed 's/ \([0-9]\).*/ \1/' |
        # Stages are shown at once.
        case "$method" in *staged) sort ;; *) cat ;; esac | uniq
done
