#!/bin/sh
# labs and kernels are files.
# from: solutions
# lab: lab1
# expect: lab1 0

rm -r labs kernels
printf 'hostile\n' > labs
printf 'hostile\n' > kernels
