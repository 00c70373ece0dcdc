#pragma once

#include "grader/calls.hpp"
#include "grader/failure.hpp"
#include "report/picture.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace grader {

class Case;
class Session;

/// Draws one of a lab's examples: what the kernels do in it, in a schedule with a wrong result if there
/// is one.
class ExamplePicture {
  public:
    ExamplePicture(Case& test, Session& session, report::Case& record, Calls& calls)
        : test_(test), session_(session), record_(record), calls_(calls) {}

    /// Runs the lab's examples until one shows a mistake, and returns its picture; if none does, that of
    /// the first one.
    report::Picture draw();

    /// The result of the example that runs.
    void show_result(const std::vector<double>& expected, const std::vector<double>& got);

  private:
    bool record_mistake(const std::function<void(Case&)>& example);
    std::optional<CaseOutcome> record_example(const std::function<void(Case&)>& example,
                                              const wire::Schedule& schedule = {});
    void add_expected_values(const std::function<void(Case&)>& example);
    void add_right_values();
    void keep_launches();

    Case& test_;
    Session& session_;
    report::Case& record_;
    Calls& calls_;
    report::Picture picture_;
};

/// Returns a picture of one of the lab's examples, drawn from `session`'s seed; `without_code`: without
/// the lines of the kernel.
report::Picture picture_of(Session& session, bool without_code);

} // namespace grader
