/// A runner without a lab: it contains no student's host code, and runs launches.

#include "runner/serve.hpp"

int main() { return runner::serve({}); }
