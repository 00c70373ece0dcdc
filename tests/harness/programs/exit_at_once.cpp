// Exits before any request.
#include <cstdio>

int main() {
    std::puts("no device");
    return 4;
}
