#include "grader/background_trials.hpp"

#include "grader/session.hpp"

#include <atomic>
#include <functional>
#include <future>

namespace grader {
namespace {

/// With this many processors, the trials with contention run beside those without it.
constexpr unsigned many_processors = 4;

/// A session in a separate thread, which stops it in the end.
class Background {
  public:
    explicit Background(const Session& main) : session_(main, abandoned_) {}
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background() { stop(); }

    /// `trials` may throw, which result() passes on.
    void start(const std::function<SmallTrials(Session&)>& trials) {
        trials_ = std::async(std::launch::async, [this, trials] { return trials(session_); });
    }
    bool has_started() const { return trials_.valid(); }
    SmallTrials result() { return trials_.get(); }
    void stop() { abandoned_ = true; }

  private:
    std::atomic<bool> abandoned_{false};
    Session session_;
    std::future<SmallTrials> trials_; ///< the last member: waited for first
};

/// All small trials in one thread.
class Thread : public BackgroundTrials {
  public:
    explicit Thread(const Session& main) : trials_(main) { trials_.start(small_trials_of); }
    SmallTrials result() override { return trials_.result(); }

  private:
    Background trials_;
};

/// The trials with contention in a thread of their own.
class TwoThreads : public BackgroundTrials {
  public:
    explicit TwoThreads(const Session& main) : main_(main), contended_(main), plain_(main) {
        plain_.start([this](Session& session) {
            return plain_small_trials_of(session,
                                         [this] { contended_.start(contended_small_trials_of); });
        });
    }

    SmallTrials result() override {
        SmallTrials plain = plain_.result();
        if (!plain.needs_contention())
            return plain;
        if (!contended_.has_started())
            contended_.start(contended_small_trials_of);
        return with_contention(main_, std::move(plain), contended_.result());
    }

  private:
    const Session& main_;
    Background contended_; ///< outlives `plain_`, which starts it
    Background plain_;
};

} // namespace

std::unique_ptr<BackgroundTrials> run_in_background(Session& session, unsigned processors) {
    if (session.options().sealed || !session.interpreter().installed())
        return nullptr;
    if (processors < many_processors)
        return std::make_unique<Thread>(session);
    return std::make_unique<TwoThreads>(session);
}

} // namespace grader
