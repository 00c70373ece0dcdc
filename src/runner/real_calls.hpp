#pragma once

#include "runner/lab.hpp"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace runner {

/// Returns the OpenCL library's own function `name`, which this program's function of that name
/// hides.
template <class Function> Function* real_call(const char* name) {
    void* symbol = ::dlsym(RTLD_NEXT, name);
    if (symbol == nullptr)
        throw std::runtime_error("the OpenCL library has no function " + std::string(name));
    return reinterpret_cast<Function*>(symbol); // NOLINT: dlsym returns functions as void*
}

} // namespace runner

/// OpenCL's own function `name`; looked up once.
#define REAL_CALL(name)                                                                            \
    ([]() -> auto* {                                                                               \
        static auto* const function = runner::real_call<decltype(name)>(#name);                    \
        return function;                                                                           \
    }())
