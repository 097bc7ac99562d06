for shell in bash zsh fish elvish powershell; do
    taquin completions $shell > taquin.$shell
    pdb-gen completions $shell > pdb-gen.$shell
    grep -q threads taquin.$shell && grep -q threads pdb-gen.$shell && echo $shell
done
