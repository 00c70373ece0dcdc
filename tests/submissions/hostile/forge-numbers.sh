#!/bin/sh
# Answers with numbers that do not fit: NaN, 1e999, negative sizes, 2^64, fractions, another each time.
# from: starters
# lab: lab1
# expect: lab1 0

{
    cat << 'CPP'
#include <cstdint>
#include <string>
#include <unistd.h>
static void say(const std::string& text, std::uint32_t size, std::uint32_t fds = 0) {
    const std::uint32_t head[2] = {size, fds};
    static_cast<void>(!::write(3, head, sizeof head));
    for (std::size_t at = 0; at < text.size();) {
        const auto count = ::write(3, text.data() + at, text.size() - at);
        if (count <= 0)
            return;
        at += static_cast<std::size_t>(count);
    }
}
#include <chrono>
#include <cstdio>
static void attack() {
    static const char* const numbers[] = {"NaN", "1e999", "-1", "18446744073709551616", "0.5", "1e308", "-9223372036854775808",
                                          "18446744073709551615", "null", "\"16\"", "true", "-0", "1E400", "0x10", "Infinity"};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string number = numbers[static_cast<std::size_t>(now / 1000) % (sizeof numbers / sizeof *numbers)];
    const std::string text =
        "{\"kind\":3,\"body\":{\"outcome\":\"returned\",\"message\":\"\",\"file\":\"\",\"line\":" + number +
        ",\"call\":\"\",\"detail\":\"\",\"error_code\":" + number + ",\"build_log\":\"\",\"result_size\":" + number +
        ",\"launches\":[{\"kernel\":\"reduction_scalar\",\"global_size\":[" + number + ",1,1],\"work_group_size\":[" + number +
        ",1,1],\"local_memory\":" + number + ",\"nanoseconds\":" + number + "}],\"reads\":[" + number +
        "],\"guard_hits\":[],\"read_only_hits\":[],\"any_order\":false,\"unwaited_read\":false,\"modified_argument\":" + number +
        ",\"seconds\":" + number + ",\"function_times\":[" + number + "],\"wall_times\":[" + number +
        "],\"baseline_times\":[" + number + "]}}";
    say(text, static_cast<std::uint32_t>(text.size()));
    ::sleep(600);
}

CPP
    sed 's/^\(std::size_t\|Reduction\) .*) {$/&\n    attack();/' labs/lab1/reduction_scalar.cpp
} > hostile.tmp
mv hostile.tmp labs/lab1/reduction_scalar.cpp
