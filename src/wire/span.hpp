#pragma once

#include <cstddef>
#include <vector>

namespace wire {

/// A non-owning view of `size()` consecutive objects (a small version of C++20's std::span).
template <class T> class Span {
  public:
    Span() = default;
    Span(T* data, std::size_t size) : data_(data), size_(size) {}
    /// Views a whole vector; the vector must outlive the view.
    template <class U> Span(const std::vector<U>& values)
        : data_(values.data()), size_(values.size()) {}

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) const { return data_[i]; }
    Span subspan(std::size_t offset, std::size_t count) const { return {data_ + offset, count}; }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace wire
