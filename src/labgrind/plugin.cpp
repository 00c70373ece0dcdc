/// labgrind for any OpenCL program: oclgrind --plugins labgrind.so PROGRAM. It prints findings and
/// work of each launch on stderr.

#include "labgrind/observer.hpp"

#include <cstdio>
#include <memory>

namespace {

/// Tells what was found at the end of each launch.
class Printer final : public labgrind::Observer {
  public:
    using Observer::Observer;

    void kernelEnd(const oclgrind::KernelInvocation* invocation) override {
        Observer::kernelEnd(invocation);
        const wire::Analysis& found = analysis();
        const wire::WorkCounts& work = found.work;
        std::fprintf(stderr, // NOLINT(cppcoreguidelines-pro-type-vararg,cert-err33-c)
                     "labgrind: %s: %zu findings; %llu additions, %llu barriers, %llu local and "
                     "%llu global accesses, %llu transactions, %llu bank conflicts, "
                     "%llu divergent branches%s\n",
                     work.kernel.c_str(), found.findings.size(), count(work.additions),
                     count(work.barriers), count(work.local_loads + work.local_stores),
                     count(work.global_loads + work.global_stores), count(work.transactions),
                     count(work.bank_conflicts), count(work.divergent_branches),
                     found.failure.empty() ? "" : "; the launch was not watched to its end");
        for (const wire::Finding& finding : found.findings)
            std::fprintf(stderr, // NOLINT(cppcoreguidelines-pro-type-vararg,cert-err33-c)
                         "labgrind: %s: line %d: %s (seen %llu times)\n", finding.kind.c_str(),
                         finding.line, finding.message.c_str(), count(finding.count));
    }

  private:
    static unsigned long long count(std::uint64_t value) { return value; }
};

std::unique_ptr<Printer>& plugin() {
    static std::unique_ptr<Printer> instance;
    return instance;
}

} // namespace

// Oclgrind looks for these names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" void initializePlugins(oclgrind::Context* context) {
    plugin() = std::make_unique<Printer>(context);
    context->registerPlugin(plugin().get());
}

extern "C" void releasePlugins(oclgrind::Context* context) {
    context->unregisterPlugin(plugin().get());
    plugin().reset();
}
// NOLINTEND(readability-identifier-naming)
