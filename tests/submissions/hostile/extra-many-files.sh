#!/bin/sh
# Brings twenty thousand files in one folder.
# from: solutions
# lab: lab1
# expect: lab1 full

mkdir -p labs/lab1/many
( cd labs/lab1/many && seq -f 'file%.0f.cpp' 20000 | xargs touch )
