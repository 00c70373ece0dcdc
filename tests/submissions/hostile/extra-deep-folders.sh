#!/bin/sh
# Brings folders nested so deeply that no path leads to the innermost one.
# from: solutions
# lab: lab1
# expect: lab1 full

(
    name=$(printf '%0200d' 0)
    i=0
    while [ "$i" -lt 40 ]; do
        mkdir "$name" && cd "$name" || exit 0
        i=$((i + 1))
    done
)
