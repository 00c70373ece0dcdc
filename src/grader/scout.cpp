#include "grader/scout.hpp"

#include "grader/session.hpp"

#include <atomic>
#include <future>

namespace grader {
namespace {

class Thread : public Scout {
  public:
    explicit Thread(const Session& main)
        : session_(main, abandoned_),
          trials_(std::async(std::launch::async, [this] { return small_trials_of(session_); })) {}
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    Thread(Thread&&) = delete;
    Thread& operator=(Thread&&) = delete;
    ~Thread() override { abandoned_ = true; }

    SmallTrials report() override { return trials_.get(); }

  private:
    std::atomic<bool> abandoned_{false};
    Session session_;
    std::future<SmallTrials> trials_; ///< the last member: waited for first
};

} // namespace

std::unique_ptr<Scout> send_scout(Session& session) {
    if (session.options().sealed || !session.interpreter().installed())
        return nullptr;
    return std::make_unique<Thread>(session);
}

} // namespace grader
