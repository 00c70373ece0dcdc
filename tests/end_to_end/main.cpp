#define DOCTEST_CONFIG_IMPLEMENT
#include "tree.hpp"

#include <doctest/doctest.h>
#include <iostream>

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    const int status = context.run();
    if (!context.shouldExit() && tree::left_out() > 0)
        std::cout << "not run: " << tree::left_out()
                  << " cases of these tests, because they need the kernels' analysis, which is not "
                     "installed here; make setup installs it or says why it cannot\n";
    return status;
}
