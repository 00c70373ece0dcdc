#!/bin/sh
# The student's files are links to those of another submission.
# from: starters
# lab: lab1
# expect: lab1 0
# says: link

for file in labs/lab1/reduction_scalar.cpp kernels/lab1_reduction_scalar.cl; do
    set -- ../*/"$file"
    case $file in
    labs/*) ln -sf "../../$1" "$file" ;;
    *) ln -sf "../$1" "$file" ;;
    esac
done
