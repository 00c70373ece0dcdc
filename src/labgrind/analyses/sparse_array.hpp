#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace labgrind {

/// An unbounded array whose elements start as T{}. Only the pages that are used take memory: a
/// launch's first and last group use little of a large buffer.
template <class T> class SparseArray {
  public:
    T& operator[](std::size_t index) {
        if (index / page_size >= pages_.size())
            pages_.resize(index / page_size + 1);
        auto& page = pages_[index / page_size];
        if (!page)
            page = std::make_unique<Page>();
        return (*page)[index % page_size];
    }

    /// The element; null if it takes no memory.
    const T* find(std::size_t index) const {
        const std::size_t page = index / page_size;
        return page < pages_.size() && pages_[page] ? &(*pages_[page])[index % page_size] : nullptr;
    }

    /// Calls `visit` with the index of each element that takes memory and the element, in order.
    template <class Visit> void for_each(const Visit& visit) const {
        for (std::size_t page = 0; page < pages_.size(); ++page) {
            for (std::size_t i = 0; pages_[page] && i < page_size; ++i)
                visit(page * page_size + i, (*pages_[page])[i]);
        }
    }

    /// Clears each element.
    void clear() {
        for (auto& page : pages_) {
            if (page)
                std::ranges::for_each(*page, [](T& element) { element.clear(); });
        }
    }

  private:
    static constexpr std::size_t page_size = 256;
    using Page = std::array<T, page_size>;

    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace labgrind
