#pragma once

#include "runner/lab.hpp"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace runner {

/// The OpenCL library's own function `name`, behind the one of the same name in this program.
template <class Function> Function* real_call(const char* name) {
    void* symbol = ::dlsym(RTLD_NEXT, name);
    if (symbol == nullptr)
        throw std::runtime_error("the OpenCL library has no function " + std::string(name));
    return reinterpret_cast<Function*>(symbol); // NOLINT: dlsym gives functions as void*
}

} // namespace runner

/// Calls OpenCL's own `name`; looked up once.
#define REAL_CALL(name)                                                                            \
    ([]() -> auto* {                                                                               \
        static auto* const function = runner::real_call<decltype(name)>(#name);                    \
        return function;                                                                           \
    }())
