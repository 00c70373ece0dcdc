#include "runner/callbacks.hpp"

#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <utility>

namespace runner {
namespace {

/// Seconds that a host computes between the end of a read and its use of the memory, at most, unless it is
/// asking for a flag.
constexpr double longest_use = 0.005;

/// The system does not say when a thread falls asleep, so its state is read again after this time.
constexpr std::chrono::microseconds between_looks{200};

double seconds_of(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Whether the thread with this stat file sleeps (proc(5): the state follows the name in parentheses).
bool is_asleep(const std::string& stat_file) {
    std::ifstream file(stat_file);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = text.rfind(')');
    return name_end + 2 < text.size() && text[name_end + 2] == 'S';
}

} // namespace

void Callbacks::begin() {
    const std::lock_guard lock(mutex_);
    host_state_ = "/proc/self/task/" + std::to_string(::gettid()) + "/stat";
    ::pthread_getcpuclockid(::pthread_self(), &host_clock_);
    is_open_ = true;
}

void Callbacks::end() {
    std::vector<Callback> dropped; // their events are released after the lock
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    dropped.swap(held_);
}

void Callbacks::hold(Callback callback) {
    const std::lock_guard lock(mutex_);
    if (!is_open_)
        return;
    held_.push_back(std::move(callback));
    held_since_ = seconds_of(host_clock_);
    if (!std::exchange(is_watching_, true))
        std::thread([this] { watch(); }).detach(); // it lives as long as the recorder: to the end
    changed_.notify_one();
}

void Callbacks::run_waited_for(const std::function<bool(cl_event)>& has_waited_for) {
    std::vector<Callback> due;
    {
        const std::lock_guard lock(mutex_);
        std::vector<Callback> left;
        for (Callback& one : held_)
            (has_waited_for(one.event()) ? due : left).push_back(std::move(one));
        held_ = std::move(left);
    }
    for (const Callback& one : due)
        run_(one);
}

bool Callbacks::is_host_waiting() const {
    return is_asleep(host_state_) || seconds_of(host_clock_) > held_since_ + longest_use;
}

/// Calls what is held as soon as the host waits.
void Callbacks::watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return !held_.empty(); });
        if (is_host_waiting()) {
            const std::vector<Callback> due = std::exchange(held_, {});
            lock.unlock();
            for (const Callback& one : due)
                run_(one);
            lock.lock();
        } else {
            changed_.wait_for(lock, between_looks);
        }
    }
}

} // namespace runner
