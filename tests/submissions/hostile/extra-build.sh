#!/bin/sh
# Brings a folder build/ with programs and objects from the future, and dependency files that run commands.
# from: starters
# lab: lab1
# expect: lab1 0

for folder in build/student/lab1 build/solutions/lab1 build/grader build/labgrind build/device build/runner; do
    mkdir -p "$folder"
done
for name in build/student/lab1/runner build/solutions/lab1/runner build/grader/lab1 build/labgrind/labgrind build/device/device; do
    printf '#!/bin/sh\ntouch /tmp/opencl-labs-hostile-extra-build\nexit 0\n' > "$name"
    chmod +x "$name"
done
printf 'not an object\n' > build/student/lab1/reduction_scalar.o
# shellcheck disable=SC2016
printf '$(shell touch /tmp/opencl-labs-hostile-extra-build)\n' > build/student/lab1/reduction_scalar.d
printf 'lab1 build/student .\n' > build/selected
find build -exec touch -d 2099-01-01 '{}' +
touch -d 2099-01-01 labs/lab1/reduction_scalar.cpp kernels/lab1_reduction_scalar.cl
