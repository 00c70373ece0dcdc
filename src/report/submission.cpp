#include "report/submission.hpp"

#include <numeric>

namespace report {

int Submission::score() const {
    return std::accumulate(labs.begin(), labs.end(), 0,
                           [](int sum, const Result& lab) { return sum + lab.score(); });
}

int Submission::max_score() const {
    return std::accumulate(labs.begin(), labs.end(), 0,
                           [](int sum, const Result& lab) { return sum + lab.max_score(); });
}

} // namespace report
