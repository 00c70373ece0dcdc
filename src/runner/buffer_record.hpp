#pragma once

#include "runner/command_order.hpp"
#include "runner/kernel_arguments.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace runner {

/// Where the host creates buffers in one call of student code, and what it transfers to and from
/// them. Buffers have numbers, from 1; a sub-buffer has that of the whole. Thread-safe.
class BufferRecord {
  public:
    /// Forgets everything.
    void clear();

    /// The host has created a buffer, at the place that `frames` describe: innermost first, or
    /// empty.
    void on_create(cl_mem buffer, std::vector<std::uint64_t> frames);
    /// A sub-buffer that begins at the byte `origin` of its buffer.
    void on_create_part(cl_mem part, cl_mem whole, std::size_t origin);
    /// Whether the place of another buffer is kept.
    bool keeps_places() const;
    /// Where the host created the buffer; empty if that is not known.
    std::vector<std::uint64_t> place_of(cl_mem buffer) const;

    /// Whether the host has created the buffer in an earlier call.
    bool is_kept(cl_mem buffer) const;

    /// Notes which parts of buffers a command transfers, after so many launches.
    void on_transfer(const CommandOrder::Command& command, std::uint32_t launched);
    /// All transfers, in order; none if there were very many.
    std::vector<wire::Transfer> take_transfers();

    /// What the arguments of a launch are.
    std::vector<wire::GivenArgument> given(const std::vector<SetArgument>& arguments);

  private:
    int number_of(cl_mem buffer);

    mutable std::mutex mutex_;
    std::map<cl_mem, int> numbers_;
    std::map<cl_mem, std::size_t> origins_; ///< of sub-buffers
    std::set<int> kept_;                    ///< those of buffers from earlier calls
    std::map<cl_mem, std::vector<std::uint64_t>> places_;
    int buffers_ = 0; ///< that have a number
    bool has_many_transfers_ = false;
    std::vector<wire::Transfer> transfers_;
};

} // namespace runner
