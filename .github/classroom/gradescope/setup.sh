#!/usr/bin/env bash
# Gradescope runs this once, as root, when the autograder is created: it installs and builds the course
# and grades the starters. So anything that this system lacks is reported now and not with the first
# submission.
set -euo pipefail
root=${AUTOGRADER:-/autograder}
apt-get update -q
apt-get install -q -y --no-install-recommends make
cd "$root/source/course"
make setup
make grading
make -s grade UNSAFE=1 SUBMISSION=. OUT="$root/tried"
