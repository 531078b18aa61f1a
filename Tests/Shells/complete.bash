# What the completion for bash offers for command lines.
#
# usage: bash complete.bash SCRIPT LINE…     prints the matches of each line, and then "end"
source "$1"
function=$(complete -p kerfless | sed -n 's/^complete -F \([^ ]*\) kerfless$/\1/p')
for line in "${@:2}"; do
  # As readline does it, '=' is a word of its own, and so is nothing behind a space.
  read -ra COMP_WORDS <<< "${line//=/ = }"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  # compopt has nothing to set outside of a completion.
  compopt() { :; }
  $function
  printf '%s\n' "${COMPREPLY[@]}" end
done
