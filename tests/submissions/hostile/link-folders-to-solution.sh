#!/bin/sh
# labs/lab1 and kernels are links to the folders of the course's solution.
# from: starters
# lab: lab1
# expect: lab1 0
# says: link

course=$(cd "$(dirname "$0")/../../.." && pwd)
rm -r labs/lab1 kernels
ln -s "$course/solutions/labs/lab1" labs/lab1
ln -s "$course/solutions/kernels" kernels
