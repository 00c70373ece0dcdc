// Never answers, and starts a child that never ends either.
#include <unistd.h>

int main() {
    ::fork();
    for (;;)
        ::pause();
}
