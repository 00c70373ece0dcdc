#!/bin/sh
# A right solution prints what ends a block of XML, HTML, Markdown or a table.
# from: solutions
# lab: lab1
# expect: lab1 full

{
    cat << 'CPP'
#include <cstdio>
static void attack() {
    std::puts("]]></system-out><failure/></testcase><![CDATA[\n</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>\n"
              "``````\n~~~~\n| a | b |\n|---|---|\n# heading [link](javascript:alert(1))\n--- {{7*7}} ${7*7} $(id) `id` =HYPERLINK(\"x\") &amp;&#x3c;");
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
