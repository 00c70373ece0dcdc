#pragma once

#include "runner/lab.hpp"

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Converts bytes to the arguments of a lab's function, and its result back to bytes.
namespace runner {

using Bytes = std::span<const std::byte>;

/// A result, and whether the function changed an argument although it must not.
struct Returned {
    std::vector<std::byte> result;
    bool changed_input = false;
};

/// A lab's function with the common signature.
using Function = std::function<Returned(const Setup&, const std::vector<Bytes>&)>;
using Functions = std::map<std::string, Function>;

/// Creates an argument of one parameter type from received bytes, and compares it with them
/// afterwards.
template <class T> struct Parameter {
    static_assert(std::is_trivially_copyable_v<T>, "a lab function takes vectors and plain values");
    static T make(const Setup& /*setup*/, Bytes bytes) {
        if (bytes.size() != sizeof(T))
            throw std::invalid_argument("an argument has the wrong size");
        T value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    static bool same(const T& /*value*/, Bytes /*bytes*/) { return true; }
};

template <class T> struct Parameter<std::vector<T>> {
    static std::vector<T> make(const Setup& /*setup*/, Bytes bytes) {
        if (bytes.size() % sizeof(T) != 0)
            throw std::invalid_argument("an array argument ends within an element");
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!values.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    static bool same(const std::vector<T>& values, Bytes bytes) {
        return values.size() * sizeof(T) == bytes.size() &&
               (values.empty() || std::memcmp(values.data(), bytes.data(), bytes.size()) == 0);
    }
};

/// Returns the kernel of this name in the program of `setup`.
std::shared_ptr<const cl::Kernel> make_kernel(const Setup& setup, const std::string& name);

/// A kernel is sent as its name.
template <> struct Parameter<cl::Kernel> {
    struct Held {
        std::shared_ptr<const cl::Kernel> kernel;
        operator const cl::Kernel&() const { return *kernel; } // NOLINT: it stands for the kernel
    };
    static Held make(const Setup& setup, Bytes bytes) {
        std::string name(bytes.size(), '\0');
        std::memcpy(name.data(), bytes.data(), bytes.size());
        return {make_kernel(setup, name)};
    }
    static bool same(const Held& /*kernel*/, Bytes /*bytes*/) { return true; }
};

/// The host gets an input that lies at `bytes`.
void note_input(Bytes bytes);

template <class T> void note_vector(const T& /*value*/) {}
template <class T> void note_vector(const std::vector<T>& values) {
    note_input({reinterpret_cast<const std::byte*>(values.data()), // NOLINT: bytes of anything
                values.size() * sizeof(T)});
}

template <class T> std::vector<std::byte> to_bytes(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>,
                  "a lab function returns vectors or plain values");
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

template <class T> std::vector<std::byte> to_bytes(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

template <class Result, class... Parameters, std::size_t... Index>
Returned call(Result (*function)(const Setup&, Parameters...), const Setup& setup,
              const std::vector<Bytes>& arguments,
              std::index_sequence<Index...> /*of Parameters*/) {
    std::tuple values{Parameter<std::decay_t<Parameters>>::make(setup, arguments[Index])...};
    (note_vector(std::get<Index>(values)), ...);
    Returned returned;
    returned.result = to_bytes(function(setup, std::get<Index>(values)...));
    returned.changed_input =
        !(Parameter<std::decay_t<Parameters>>::same(std::get<Index>(values), arguments[Index]) &&
          ...);
    return returned;
}

/// Wraps a lab's function, whose first parameter is the Setup. The wrapper throws
/// std::invalid_argument if the received arguments do not fit.
template <class Result, class... Parameters>
Function bind(Result (*function)(const Setup&, Parameters...)) {
    return [function](const Setup& setup, const std::vector<Bytes>& arguments) {
        if (arguments.size() != sizeof...(Parameters))
            throw std::invalid_argument("a lab function takes " +
                                        std::to_string(sizeof...(Parameters)) + " arguments, not " +
                                        std::to_string(arguments.size()));
        return call(function, setup, arguments, std::index_sequence_for<Parameters...>{});
    };
}

} // namespace runner
