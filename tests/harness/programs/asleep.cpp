// Never answers and never reads, and uses no time.
#include <unistd.h>

int main() {
    for (;;)
        ::pause();
}
