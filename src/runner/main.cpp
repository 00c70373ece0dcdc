/// A lab's runner: compiled once for each lab, with LAB_HEADER naming the lab's own header.

#define LAB_DECLARATIONS
#include "runner/bind.hpp"
#include "runner/serve.hpp"

#include LAB_HEADER

int main() {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name in a list
#define LAB_FUNCTION(name) {#name, runner::bind(&name)},
    const runner::Functions functions{LAB_FUNCTIONS};
#undef LAB_FUNCTION
    return runner::serve(functions);
}
