// Never answers, and has a child that never ends either.
#include <unistd.h>

int main() {
    ::fork();
    for (;;)
        ::pause();
}
