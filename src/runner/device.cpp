/// A runner without a lab: it holds no host code of a student's, and carries out launches.

#include "runner/serve.hpp"

int main() { return runner::serve({}); }
