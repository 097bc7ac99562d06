for shell in bash zsh fish elvish powershell; do
    taquin completions $shell > taquin.$shell
    pdb-gen completions $shell > pdb-gen.$shell
    grep -q threads taquin.$shell && grep -q threads pdb-gen.$shell && echo $shell
done
for shell in bash zsh fish; do
    for value in blank-top-right walking-distance 7-8b portfolio antipodes80 5x4 staged boards; do
        grep -q -e $value taquin.$shell || echo "$shell does not know $value"
    done
    for value in 6-6-6-6 7-7-7-3 small 3x3; do
        grep -q -e $value pdb-gen.$shell || echo "$shell does not know $value"
    done
done
grep -A 2 -e '--set)$' taquin.bash | grep -o 'korf100 antipodes80 hard15'
grep -A 2 -e '--goal)$' taquin.bash | grep -o 'blank-last blank-first' | sort -u
