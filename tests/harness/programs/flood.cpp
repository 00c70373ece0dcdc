// Prints endlessly.
#include <string>
#include <unistd.h>

int main() {
    const std::string much(4096, 'x');
    while (::write(STDOUT_FILENO, much.data(), much.size()) > 0) {
    }
}
