#pragma once

#include <utility>

namespace grader {

/// Gives a variable another value until the end of the scope.
template <class T> class Temporarily {
  public:
    Temporarily(T& variable, T value)
        : variable_(&variable), before_(std::exchange(variable, std::move(value))) {}
    Temporarily(const Temporarily&) = delete;
    Temporarily& operator=(const Temporarily&) = delete;
    ~Temporarily() { *variable_ = std::move(before_); }

  private:
    T* variable_;
    T before_;
};

} // namespace grader
