#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

/// The built-in functions of OpenCL C 1.2 that compute only with values, as calls with all types
/// that they take and all vector widths.
namespace builtins {

struct Element {
    char letter; ///< as in a mangled name
    const char* name;
    std::size_t bytes;
    bool is_floating;
    bool is_signed;
};

constexpr std::array<Element, 10> elements{{{'c', "char", 1, false, true},
                                            {'h', "uchar", 1, false, false},
                                            {'s', "short", 2, false, true},
                                            {'t', "ushort", 2, false, false},
                                            {'i', "int", 4, false, true},
                                            {'j', "uint", 4, false, false},
                                            {'l', "long", 8, false, true},
                                            {'m', "ulong", 8, false, false},
                                            {'f', "float", 4, true, true},
                                            {'d', "double", 8, true, true}}};

struct Shape {
    const Element* element;
    std::size_t lanes;

    std::size_t size() const { return element->bytes * lanes; }
    std::string name() const { return element->name + (lanes == 1 ? "" : std::to_string(lanes)); }
};

enum class Arguments { any, small }; ///< small: between -8 and 8

/// A call, and how far two of its results may differ.
struct Call {
    std::string name;
    Shape result;
    std::vector<Shape> arguments;
    double tolerance = 0; ///< steps from one number to the next; negative: such steps near 1
    Arguments range = Arguments::any;

    std::string text() const {
        std::string text = result.name().append(" ").append(name).append("(");
        for (const Shape& argument : arguments)
            text.append(&argument == arguments.data() ? "" : ", ").append(argument.name());
        return text.append(")");
    }
};

/// Functions of the same kind. `pattern`: the result, then the arguments. T: the vector; E: its
/// element; I: as many ints; R: the result of a relation; U, S: unsigned, signed lanes of the same
/// size; W: lanes twice as wide; i: an int.
struct Rule {
    const char* names;
    const char* letters; ///< of the elements
    const char* pattern;
    double tolerance = 0;
    Arguments range = Arguments::any;
    const char* widths = "1 2 3 4 8 16";
};

/// Tolerances are those of the standard, or generous where it leaves them to the platform.
inline const std::vector<Rule>& rules() {
    constexpr Arguments any = Arguments::any;
    constexpr Arguments small = Arguments::small;
    static const std::vector<Rule> all = {
        {"ceil fabs floor rint round trunc sqrt logb sign", "fd", "TT"},
        {"acos acosh asin asinh acospi asinpi atanpi atan atanh", "fd", "TT", 5},
        {"log1p rsqrt degrees radians", "fd", "TT", 2},
        {"exp exp2 exp10 expm1 log log2 log10", "fd", "TT", 3},
        {"cosh sinh cospi sinpi", "fd", "TT", 4},
        {"tanh tanpi", "fd", "TT", 6},
        {"erf erfc tgamma", "fd", "TT", 16},
        {"lgamma", "fd", "TT", 1000},
        {"half_cos half_sin half_tan half_exp half_exp2 half_exp10 half_log half_log2 half_log10 "
         "half_rsqrt half_sqrt half_recip native_cos native_sin native_tan native_exp native_exp2 "
         "native_exp10 native_log native_log2 native_log10 native_rsqrt native_sqrt native_recip",
         "f", "TT", 8192, small},
        {"half_divide native_divide half_powr native_powr", "f", "TTT", 8192, small},
        {"atan2 atan2pi hypot", "fd", "TTT", 6},
        {"copysign fdim fmax fmin maxmag minmag nextafter max min step", "fd", "TTT"},
        {"fmax fmin max min", "fd", "TTE"},
        {"step", "fd", "TET"},
        {"ldexp", "fd", "TTI"},
        {"ldexp", "fd", "TTi"},
        {"ilogb", "fd", "IT"},
        {"nan", "fd", "TU"},
        {"fma clamp", "fd", "TTTT"},
        {"clamp", "fd", "TTEE"},
        {"mad mix", "fd", "TTTT", -512, small},
        {"mix", "fd", "TTTE", -512, small},
        {"smoothstep", "fd", "TTTT", -64, small},
        {"smoothstep", "fd", "TEET", -64, small},
        {"dot distance", "fd", "ETT", -8192, small, "1 2 3 4"},
        {"fast_distance", "f", "ETT", -8192, small, "1 2 3 4"},
        {"length", "fd", "ET", 4, any, "1 2 3 4"},
        {"fast_length", "f", "ET", 8192, small, "1 2 3 4"},
        {"fast_normalize", "f", "TT", 8192, small, "1 2 3 4"},
        {"cross", "fd", "TTT", -8192, small, "3 4"},
        {"abs", "chstijlm", "UT"},
        {"abs_diff", "chstijlm", "UTT"},
        {"add_sat sub_sat hadd rhadd mul_hi rotate max min", "chstijlm", "TTT"},
        {"max min", "chstijlm", "TTE"},
        {"clamp mad_hi mad_sat", "chstijlm", "TTTT"},
        {"clamp", "chstijlm", "TTEE"},
        {"clz popcount", "chstijlm", "TT"},
        {"upsample", "chstij", "WTU"},
        {"mul24", "ij", "TTT"},
        {"mad24", "ij", "TTTT"},
        {"isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered "
         "isunordered",
         "fd", "RTT"},
        {"isfinite isinf isnan isnormal signbit", "fd", "RT"},
        {"any all", "csil", "iT"},
        {"bitselect", "chstijlmfd", "TTTT"},
        {"select", "chstijlmfd", "TTTU"},
        {"select", "chstijlmfd", "TTTS"},
        // Without what POCL 3.1 computes wrongly: cos(1e-11f) of a vector is 0.9999 there, and sin
        // and tan have similar errors; these functions of double vectors are far off for a few
        // percent of all arguments (powr(0.3, 1e30) is infinite); normalize(NAN) of a scalar is 0.
        {"cos sin", "d", "TT", 4},
        {"cos sin", "f", "TT", 4, any, "1"},
        {"tan", "d", "TT", 6},
        {"tan", "f", "TT", 6, any, "1"},
        {"fmod remainder", "f", "TTT"},
        {"fmod remainder", "d", "TTT", 0, any, "1"},
        {"pow powr", "f", "TTT", 16},
        {"pow powr", "d", "TTT", 16, any, "1"},
        {"pown rootn", "f", "TTI", 16},
        {"pown rootn", "d", "TTI", 16, any, "1"},
        {"normalize", "fd", "TT", 5, any, "2 3 4"},
        {"normalize", "fd", "TT", 5, small, "1"},
        {"cbrt", "fd", "TT", 8}, // 2 by the standard; POCL's is off by up to 5
    };
    return all;
}

inline const Element& element(char letter) {
    return *std::ranges::find_if(elements,
                                 [&](const Element& one) { return one.letter == letter; });
}

inline const Element& integer(std::size_t bytes, bool is_signed) {
    return *std::ranges::find_if(elements, [&](const Element& one) {
        return one.bytes == bytes && one.is_signed == is_signed; // integers come first
    });
}

inline Shape shape(char pattern, const Element& of, std::size_t lanes) {
    switch (pattern) {
    case 'E':
        return {&of, 1};
    case 'I':
        return {&element('i'), lanes};
    case 'i':
        return {&element('i'), 1};
    case 'R':
        return {lanes == 1 ? &element('i') : &integer(of.bytes, true), lanes};
    case 'U':
        return {&integer(of.bytes, false), lanes};
    case 'S':
        return {&integer(of.bytes, true), lanes};
    case 'W':
        return {&integer(2 * of.bytes, of.is_signed), lanes};
    default:
        return {&of, lanes};
    }
}

inline void add_calls(const Rule& rule, const std::string& name, std::vector<Call>& calls) {
    const std::string arguments = rule.pattern + 1;
    for (const char letter : std::string(rule.letters)) {
        std::istringstream widths(rule.widths);
        for (std::size_t lanes = 0; widths >> lanes;) {
            if (lanes == 1 && arguments.find_first_of("Ei") != std::string::npos)
                continue; // the same as T
            const Shape result = shape(*rule.pattern, element(letter), lanes);
            Call& call = calls.emplace_back(Call{name, result, {}, rule.tolerance, rule.range});
            for (const char pattern : arguments)
                call.arguments.push_back(shape(pattern, element(letter), lanes));
        }
    }
}

/// Adds conversions from each type to each other one, in all ways, each with some width.
inline void add_conversions(std::vector<Call>& calls) {
    constexpr std::array<std::size_t, 6> widths{1, 2, 3, 4, 8, 16};
    for (const Element& from : elements) {
        for (const Element& to : elements) {
            for (const std::string way : {"", "_rte", "_rtz", "_rtp", "_rtn", "_sat", "_sat_rte",
                                          "_sat_rtz", "_sat_rtp", "_sat_rtn"}) {
                const Shape result{&to, widths.at(calls.size() % widths.size())};
                if (!to.is_floating || !way.starts_with("_sat"))
                    calls.push_back(
                        {"convert_" + result.name() + way, result, {{&from, result.lanes}}});
            }
        }
    }
}

inline void add_shuffles(std::vector<Call>& calls) {
    for (const Element& one : elements) {
        for (const std::size_t from : {2, 4, 8, 16}) {
            for (const std::size_t to : {2, 4, 8, 16}) {
                const Shape data{&one, from};
                const Shape mask{&integer(one.bytes, false), to};
                calls.push_back({"shuffle", {&one, to}, {data, mask}});
                calls.push_back({"shuffle2", {&one, to}, {data, data, mask}});
            }
        }
    }
}

inline std::vector<Call> all_calls() {
    std::vector<Call> calls;
    for (const Rule& rule : rules()) {
        std::istringstream names(rule.names);
        for (std::string name; names >> name;)
            add_calls(rule, name, calls);
    }
    add_conversions(calls);
    add_shuffles(calls);
    return calls;
}

/// Whether a floating-point number is out of the range of an integer type.
inline bool is_out_of_range(long double value, const Element& of) {
    const int bits = static_cast<int>(8 * of.bytes) - (of.is_signed ? 1 : 0);
    const long double limit = std::ldexp(1.0L, bits);
    return !(value < limit - 1 && value >= (of.is_signed ? -limit : 0));
}

/// Whether the standard leaves the result for these arguments open.
inline bool is_open(const Call& call, const std::vector<long double>& x) {
    const Element& of = *call.arguments.front().element;
    const bool has_nan =
        std::ranges::any_of(x, [](long double value) { return std::isnan(value); });
    if (call.name == "clamp")
        return has_nan || x[1] > x[2];
    if (call.name == "min" || call.name == "max" || call.name == "step")
        return has_nan;
    if (call.name == "smoothstep")
        return has_nan || x[0] >= x[1];
    if (call.name == "mul24" || call.name == "mad24")
        return std::any_of(x.begin(), x.begin() + 2, [&](long double value) {
            return of.is_signed ? value < -0x1p23 || value >= 0x1p23 : value >= 0x1p24;
        });
    const bool is_plain_conversion =
        call.name.starts_with("convert_") && call.name.find("_sat") == std::string::npos;
    return is_plain_conversion && of.is_floating && !call.result.element->is_floating &&
           is_out_of_range(x[0], *call.result.element);
}

} // namespace builtins
