# The pages of the commands, each as it is printed, with the examples of the help and with its exit codes.
for program in taquin pdb-gen; do
    $program man --out new/$program
    for command in $($program --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v help); do
        page=new/$program/$program-$command.1
        $program man $command | cmp - $page
        sed 's/\\-/-/g' $page | sed "s/\\\\\\*(Aq/'/g" > plain
        $program $command --help > help
        sed -n '/^Examples:/,/^[^ ]*$/s/^  \(.*\)/\1/p' help | while read -r example; do
            grep -qFx "  $example" plain || echo "no $example"
        done
        [ $(grep -c 'Exit codes' help) = $(grep -c 'Exit codes' $page) ] || echo other exit codes
        # Where the system has a formatter, it finds nothing to complain about.
        ! command -v groff > told || groff -man -Tutf8 -ww -P-c -rLL=78n $page > told
    done
    $program man | cmp - new/$program/$program.1
    ls new/$program
done
