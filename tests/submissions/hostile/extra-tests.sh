#!/bin/sh
# Brings a harness and tests of its own that give all points for nothing.
# from: starters
# lab: lab1
# expect: lab1 0

mkdir -p tests/labs src/grader src/runner src/wire src/report
cat > tests/labs/lab1.cpp << 'CPP'
#include "grader/case.hpp"
grader::LabInfo grader::describe_lab() { return {"lab1", "Scalar reduction", {}, [](Case&) {}}; }
TEST_CASE("sum: every length" * grader::points(16)) { CHECK(true); }
CPP
printf 'int main() { return 0; }\n' > src/grader/main.cpp
printf 'int main() { return 0; }\n' > src/runner/main.cpp
printf '#error hostile\n' > src/runner/lab.hpp
printf '#error hostile\n' > src/wire/messages.hpp
