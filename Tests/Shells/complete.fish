# What the completion for fish offers for command lines.
#
# usage: fish --no-config complete.fish SCRIPT LINE…     prints the matches of each line, and then "end"
source $argv[1]
for line in $argv[2..]
  complete -C $line | string split --fields 1 \t
  echo end
end
