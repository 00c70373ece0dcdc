#!/bin/sh
# Brings settings that tools read from the folder they run in, and that make them run commands.
# from: solutions
# lab: lab1
# expect: lab1 full

touch_it='touch /tmp/opencl-labs-hostile-extra-dotfiles'
for folder in . labs labs/lab1 kernels; do
    printf 'shell %s\n' "$touch_it" > "$folder/.gdbinit"
    # shellcheck disable=SC2016
    printf 'export PATH=/tmp:$PATH\n%s\n' "$touch_it" | tee "$folder/.envrc" "$folder/.env" "$folder/.bashrc" "$folder/.profile" > "$folder/.bash_env"
    printf 'Checks: "*"\nHeaderFilterRegex: ".*"\n' > "$folder/.clang-tidy"
    printf -- '-I/etc\n-include/etc/passwd\n' | tee "$folder/compile_flags.txt" > "$folder/.clang"
    printf '/tmp/opencl-labs-hostile.so\n' > "$folder/hostile.icd"
    printf 'import os; os.system("%s")\n' "$touch_it" | tee "$folder/sitecustomize.py" "$folder/conftest.py" "$folder/json.py" > "$folder/usercustomize.py"
    printf 'doctest=1\n' > "$folder/.oclgrindrc"
done
