#!/usr/bin/env bash
# Gradescope runs this once, as root, when the autograder is made: it installs and builds the course.
set -euo pipefail
apt-get update -q
apt-get install -q -y --no-install-recommends make
make -C "${AUTOGRADER:-/autograder}/source/course" setup grading
