#!/bin/sh
# Brings files whose names are options, commands, markup, formulas, or no text at all.
# from: solutions
# lab: lab1
# expect: lab1 full

new_line='
'
# shellcheck disable=SC2016
for name in '-rf' '--help' '--checkpoint-action=exec=touch hostile' '-o' '$(touch hostile)' '`touch hostile`' ';touch hostile;' \
    '=cmd|calc' '+1' '@SUM(1)' '"quotes"' "'" '<script>alert(1)<' '::error::hostile' '##[error]hostile' "a${new_line}::error::b" \
    '|' '*' '?' "\\" '%n%s' '{{7*7}}' '...' ' ' "$(printf '\377\376')" "$(printf 'a\033[31mb')" "$(printf 'a\rb')" \
    "$(printf '%0255d' 0)" "$(printf '\342\200\256lc.exe')" 'CON' 'nul.cpp'; do
    for folder in . labs labs/lab1 kernels; do
        printf 'hostile\n' > "$folder/$name"
    done
done
