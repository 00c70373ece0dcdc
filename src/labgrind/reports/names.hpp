#pragma once

#include "labgrind/analyses/group.hpp"
#include "labgrind/vm/ir.hpp"
#include "labgrind/vm/vm.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace labgrind {

/// The name of a variable in the source: "sum" for "sum.addr", "temp" for "kernel.temp".
std::string source_name(const ir::Value* value);

/// "x" for component 0 of a vector.
std::string lane_name(std::size_t lane, std::size_t lanes);

/// "x, y and z".
std::string list(const std::vector<std::string>& parts);

/// "line 18", or "lines 15, 24 and 37".
std::string list_lines(const std::vector<int>& lines);

/// Names for the work-items, groups and pieces of memory of a launch, as a student knows them.
class Names {
  public:
    explicit Names(vm::Launch& launch);

    const vm::Memory& global_memory() const;

    /// "group 3", or "group (1, 2)".
    std::string group(std::uint32_t index) const;
    /// "work-item 5", by its number within its group.
    std::string item_of_group(std::uint32_t local) const;
    /// "work-item 5 of group 3", by its number in the launch.
    std::string item(std::uint32_t number) const;
    /// "work-item 3", "work-items 0 to 31", "work-items 1, 3, 5, ... (32 of them)".
    std::string items(const std::vector<std::uint32_t>& locals) const;

    /// A variable or a parameter that names a piece of memory.
    struct Variable {
        std::string name;                        ///< "" if none is known
        std::size_t element_size = 0;            ///< in bytes; 0 if it is not known
        std::size_t lanes = 1;                   ///< of an element that is a vector
        bool is_struct = false;                  ///< an element is a struct or a union
        const ir::Metadata* described = nullptr; ///< its type in the source; null: not known
        std::size_t size = 0;                    ///< in bytes
        std::vector<std::size_t> extents;        ///< of an array of arrays, outermost first
        bool scalar = false; ///< declared as one value, not as an array or pointer
        const ir::Argument* parameter = nullptr; ///< null: it is a variable
        /// The number of the kernel's parameter, from 0; -1: it is a variable.
        int argument() const {
            return parameter == nullptr ? -1 : static_cast<int>(parameter->number);
        }
    };
    /// The variable whose memory has this number in an address space, as `item` of `group` sees it.
    Variable variable(unsigned space, std::size_t buffer, const Group& group,
                      const Item& item) const;
    /// The number of groups of the launch.
    std::size_t groups() const;
    /// "n", or "n / 4" for vectors of 4 lanes: the kernel's only integer that gives this number of elements.
    /// Of several integers, the one that is compared with something. "" if there is none.
    std::string limit_of(std::uint64_t count, std::size_t lanes) const;
    /// "data and as result": two parameters that are both this buffer in global memory; "" if there are none.
    std::string shared_by(std::size_t buffer) const;
    /// "data[12]", "tile[3][0]", "data[12].y", "summaries[3].sum", "summaries[3] (bytes 4 to 11)":
    /// the element at `offset` bytes from the beginning of a variable.
    static std::string element(const Variable& variable, std::int64_t offset,
                               std::size_t access_size);
    /// The same for an address; a scalar has no index.
    std::string at(const vm::Memory& memory, ir::Address address, std::size_t access_size,
                   const Group& group, const Item& item) const;

  private:
    vm::Launch* launch_;
    std::size_t dimensions_; ///< in which work-items differ
};

} // namespace labgrind
