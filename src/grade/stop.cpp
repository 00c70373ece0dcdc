#include "grade/stop.hpp"

#include "wire/handles.hpp"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grade {

Stop::Stop() {
    ::sigemptyset(&signals_);
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        ::sigaddset(&signals_, number);
    if (::pthread_sigmask(SIG_BLOCK, &signals_, nullptr) != 0 ||
        ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        wire::throw_errno("cannot block signals");
}

void Stop::check() const {
    const timespec at_once{};
    const int number = ::sigtimedwait(&signals_, nullptr, &at_once);
    if (number > 0)
        signal_ = number;
    if (signal_ != 0)
        throw Stopped{};
}

void Stop::wait_for_children() {
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
}

void Stop::end() const {
    const int number = signal_;
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL; // NOLINT(cppcoreguidelines-pro-type-union-access)
    ::sigaction(number, &plain, nullptr);
    ::kill(::getpid(), number);
    ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    ::_exit(128 + number);
}

} // namespace grade
