#include "report/result.hpp"

#include <numeric>

namespace report {

const char* to_string(Status status) {
    switch (status) {
    case Status::pass:
        return "pass";
    case Status::fail:
        return "fail";
    case Status::error:
        return "error";
    case Status::inconclusive:
        return "inconclusive";
    case Status::blocked:
        return "blocked";
    case Status::skipped:
        return "skipped";
    }
    return "error";
}

int Result::score() const {
    return std::accumulate(cases.begin(), cases.end(), 0,
                           [](int sum, const Case& one) { return sum + one.score; });
}

int Result::max_score() const {
    return std::accumulate(cases.begin(), cases.end(), 0,
                           [](int sum, const Case& one) { return sum + one.max_score; });
}

} // namespace report
