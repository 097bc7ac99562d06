# The commands whose short help has up to 30 lines and whose long one has up to 125.
for program in taquin pdb-gen; do
    for command in $($program --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v help); do
        short=$(COLUMNS=80 $program $command -h | grep -c '')
        long=$(COLUMNS=80 $program $command --help | grep -c '')
        [ $short -le 30 ] && [ $long -le 125 ] && echo $program $command
    done
done
