#!/bin/sh
# Brings result files of all formats with full points.
# from: starters
# lab: lab1
# expect: lab1 0

mkdir -p results OUT out lab1
for folder in . results OUT out lab1 labs labs/lab1; do
    printf '{"schema": "opencl-labs/result/v1", "lab": "lab1", "seed": 1, "device": "x", "score": 16, "max_score": 16, "cases": [], "findings": [], "work": {}, "timing": {}}\n' > "$folder/result.json"
    printf '{"version":1,"status":"pass","max_score":16,"tests":[{"name":"all","status":"pass","score":16}]}\n' > "$folder/classroom.json"
    printf '{"schema":"classroom50/result/v1","score":16,"max-score":16,"tests":[]}\n' > "$folder/classroom50.json"
    printf '{"score":16,"tests":[]}\n' > "$folder/gradescope.json"
    cp "$folder/gradescope.json" "$folder/results.json"
    printf '<testsuites><testsuite name="lab1" tests="15" failures="0"/></testsuites>\n' > "$folder/junit.xml"
    printf '# 16 of 16\n' > "$folder/summary.md"
    printf '<script>alert(1)</script>\n' > "$folder/report.html"
    printf 'name,score\nhostile,16\n' > "$folder/gradebook.csv"
    : > "$folder/done"
done
