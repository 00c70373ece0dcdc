#!/bin/sh
# Keeps right results in files and static variables, by length, and returns them in later calls without work.
# from: solutions
# lab: lab2
# expect: lab2 below full

sed -i -e 's/^#include "lab2.hpp"/&\n#include <fstream>\n#include <map>/' \
    -e 's/std::size_t work_group_size) {$/&\n    static std::map<std::size_t, cl_float> known;\n    const std::string place = "\/tmp\/opencl-labs-hostile-results-kept-" + std::to_string(data.size());\n    if (cl_float kept = 0; std::ifstream(place) >> kept)\n        return kept;\n    if (known.count(data.size()) != 0)\n        return known[data.size()];/' \
    -e 's/^    return result;/    known[data.size()] = result;\n    std::ofstream(place) << result;\n&/' labs/lab2/reduction_vector.cpp
