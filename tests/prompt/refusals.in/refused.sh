# The messages of a command for each line of a file as its last argument.
file=$1
shift
while IFS= read -r text; do
    "$@" "$text" 2>&1 </dev/null | head -n 1
done <"$file"
