#!/usr/bin/env bash
# Gradescope runs this once, as root, when the autograder is made: it installs and builds the course.
set -euo pipefail
apt-get update -q
apt-get install -q -y --no-install-recommends make
cd "${AUTOGRADER:-/autograder}/source/course"
make setup
make grading
