# Damages each of two files by the command $1: every program says the same, and a build by force makes it anew.
board='1 2 3 0 / 4 5 6 7 / 8 9 10 11'
rm -rf damaged && mkdir damaged
for name in 4x3-0-1.2.3.4.5.pdb 4x3-0-6.7.8.9.10.11.pdb; do
    cp pdb/* damaged
    LC_ALL=C $1 < pdb/$name > damaged/$name
    cp damaged/$name before
    taquin solve --pdb-dir damaged "$board" 2> told
    echo $?
    sed 's/taquin: //' told | tee message
    for command in "build --size 4x3 --out damaged" "info damaged/$name" "verify damaged/$name"; do
        pdb-gen $command > out 2> told
        echo $? $(grep -c $name out)
        sed 's/pdb-gen: //' told | cmp - message
    done | tr '\n' ' '
    cmp before damaged/$name
    pdb-gen build --size 4x3 --out damaged --force > told
    cmp pdb/$name damaged/$name && echo rebuilt
done
