# The standard input, with byte $1 replaced by the octal number $2.
cat > whole
head -c $1 whole
printf "\\$2"
tail -c +$(($1 + 2)) whole
