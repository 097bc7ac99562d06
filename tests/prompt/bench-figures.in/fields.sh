# These fields of the objects in the standard input, a line each.
while read -r object; do
    for field; do
        value=$(printf '%s' "$object" | grep -oE "\"$field\":(\"[^\"]*\"|[^,}\"]*)" | head -n 1)
        printf '%s' "${value#*:}" | sed -E 's/^([0-9]+\.[0-9]{3})[0-9]*$/\1/'
        printf ' '
    done
    echo .
done
