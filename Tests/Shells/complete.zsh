# What zsh offers for command lines, as a person would see it who presses Tab: completion runs only in a terminal.
#
# usage: zsh -f complete.zsh SCRIPT LINE…     prints the matches of each line, and then "end"
zmodload zsh/zpty
folder=$(mktemp -d)
cp $1 $folder/_kerfless
export results=$folder/results
cat > $folder/setup <<END
fpath=($folder \$fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
  # Calls that only sort words into arrays add no match.
  [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "\$@"; return }
  local -a found
  builtin compadd -O found "\$@"
  print -rl -- \$found >> \$results
  builtin compadd "\$@"
}
# zsh empties the list of these before it calls them.
finish() { print end >> \$results; comppostfuncs=(finish) }
comppostfuncs=(finish)
bindkey '^I' complete-word
END
zpty inner zsh -f -i
zpty -w inner "source $folder/setup"
for line in "${@:2}"; do
  : > $results
  # Kills what is on the line, and writes this.
  zpty -w -n inner $'\x15'$line$'\t'
  repeat 200; do
    [[ $(tail -n 1 $results) == end ]] && break
    zpty -r -t inner > /dev/null
    sleep 0.05
  done
  cat $results
done
zpty -d inner
rm -r $folder
