#!/bin/sh
# Brings Makefiles, a launcher and a CI script of its own that print a pass.
# from: starters
# lab: lab1
# expect: lab1 0

for name in Makefile GNUmakefile makefile labs/Makefile labs/lab1/Makefile; do
    cat > "$name" << 'MAKE'
$(shell touch /tmp/opencl-labs-hostile-extra-makefiles)
CXX := true
%:
	@echo "lab1: 16 of 16 points"; touch /tmp/opencl-labs-hostile-extra-makefiles
MAKE
done
mkdir -p .ci .github/workflows
for name in harness run grade .ci/run autograder.py run_autograder; do
    printf '#!/bin/sh\ntouch /tmp/opencl-labs-hostile-extra-makefiles\necho "lab1: 16 of 16 points"\nexit 0\n' > "$name"
    chmod +x "$name"
done
printf 'on: push\njobs:\n  run-autograding-tests:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: "true"\n' > .github/workflows/grade.yml
