# The spaces of up to $1 cells whose counts are those that were published.
grep -v '^#' $REPOSITORY/tests/data/depth_counts_all.txt | while read -r size metric place rest; do
    [ $place = corner ] && [ $((${size%x*} * ${size#*x})) -le $1 ] || continue
    [ $metric = stm ] && name=single || name=multi
    counted=$(taquin count --json --size $size --metric $name | sed 's/.*"counts":\[\([^]]*\)\].*/\1/' | tr , ' ')
    [ "$counted" = "${rest##*: }" ] && echo $size $name || echo "$size $name: $counted"
done
