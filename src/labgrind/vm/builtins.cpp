#include "labgrind/vm/builtins.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

namespace labgrind::vm {
namespace pure {
namespace {

/// Holds every number of up to 64 bits, signed or not, and all sums and products of two of them,
/// except the product of two large unsigned ones.
__extension__ typedef __int128 Wide;                  // NOLINT(modernize-use-using)
__extension__ typedef unsigned __int128 WideUnsigned; // NOLINT(modernize-use-using)

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Types

/// What a lane holds.
struct Kind {
    std::size_t bytes = 0; ///< 0: a kind that is not known here
    bool is_floating = false;
    bool is_signed = false;

    unsigned bits() const { return static_cast<unsigned>(8 * bytes); }
    Wide lowest() const { return is_signed ? -(Wide{1} << (bits() - 1)) : Wide{0}; }
    Wide highest() const { return (Wide{1} << (bits() - (is_signed ? 1 : 0))) - 1; }
};

struct Parameter {
    Kind kind;
    std::size_t lanes = 1;

    const std::byte* lane(const Operand& operand, std::size_t number) const {
        return operand.data + (lanes == 1 ? 0 : number) * kind.bytes;
    }
};

struct Signature {
    std::string_view name;
    std::array<Parameter, most_parameters> parameters;
    std::size_t count = 0; ///< of parameters
    Parameter result;      ///< signed if the first parameter is

    const Kind& kind() const { return parameters[0].kind; }
};

template <class Function> struct Named {
    std::string_view name;
    Function function;
};

template <class Function> using Table = std::initializer_list<Named<Function>>;

template <class Function>
Function find(const Table<Function>& table, std::string_view name, Function otherwise) {
    for (const Named<Function>& entry : table)
        if (entry.name == name)
            return entry.function;
    return otherwise;
}

/// The kind of a type, by its name or its letter in a mangled name.
Kind kind_of(std::string_view name) {
    static const Table<Kind> table = {
        {"c", {1, false, true}},     {"a", {1, false, true}},      {"char", {1, false, true}},
        {"h", {1, false, false}},    {"uchar", {1, false, false}}, {"s", {2, false, true}},
        {"short", {2, false, true}}, {"t", {2, false, false}},     {"ushort", {2, false, false}},
        {"i", {4, false, true}},     {"int", {4, false, true}},    {"j", {4, false, false}},
        {"uint", {4, false, false}}, {"l", {8, false, true}},      {"long", {8, false, true}},
        {"m", {8, false, false}},    {"ulong", {8, false, false}}, {"f", {4, true, true}},
        {"float", {4, true, true}},  {"d", {8, true, true}},       {"double", {8, true, true}}};
    return find(table, name, Kind{});
}

/// `type`: null if the parameter is not a value, such as metadata.
Parameter parameter_of(const ir::Type* type, bool is_signed) {
    if (type == nullptr)
        return {};
    const ir::Type& scalar = type->scalar();
    const bool is_floating = scalar.is(ir::Type::Kind::floating);
    const bool is_number = is_floating || scalar.is(ir::Type::Kind::integer);
    for (const unsigned bits : {8U, 16U, 32U, 64U})
        if (is_number && scalar.bits == bits && (!is_floating || bits >= 32))
            return {{bits / 8, is_floating, is_signed}, type->lanes()};
    return {};
}

/// Removes the first parameter from a mangled list and returns it. `vectors`: earlier ones, which
/// S_, S0_, ... refer to. Returns nothing for anything but numbers and vectors of numbers.
std::optional<Parameter> next_parameter(std::string_view& list, std::vector<Parameter>& vectors) {
    if (list[0] == 'S') {
        const std::size_t end = list.find('_');
        if (end > 2) // none, or more digits than any of these functions needs
            return std::nullopt;
        const std::size_t number = end == 1 ? 0 : static_cast<std::size_t>(list[1] - '0') + 1;
        list.remove_prefix(end + 1);
        return number < vectors.size() ? std::optional(vectors[number]) : std::nullopt;
    }
    Parameter parameter;
    const bool is_vector = list.starts_with("Dv");
    if (is_vector) {
        const std::size_t end = list.find('_');
        if (end == std::string_view::npos || end + 1 == list.size())
            return std::nullopt;
        parameter.lanes = 0;
        for (const char digit : list.substr(2, end - 2))
            parameter.lanes = 10 * parameter.lanes + static_cast<std::size_t>(digit - '0');
        list.remove_prefix(end + 1);
    }
    parameter.kind = kind_of(list.substr(0, 1));
    list.remove_prefix(1);
    if (is_vector)
        vectors.push_back(parameter);
    return parameter.kind.bytes == 0 ? std::nullopt : std::optional(parameter);
}

/// Reads the parameters from a mangled list. Returns whether they match the function's type.
bool read_mangled(const ir::Function& function, Signature& signature) {
    std::string_view list = function.parameters;
    std::vector<Parameter> vectors;
    for (const ir::Argument* argument : function.arguments) {
        if (list.empty())
            return false;
        const std::optional<Parameter> parameter = next_parameter(list, vectors);
        if (!parameter)
            return false;
        const Parameter passed = parameter_of(argument->type, parameter->kind.is_signed);
        if (parameter->lanes != passed.lanes || parameter->kind.bytes != passed.kind.bytes ||
            parameter->kind.is_floating != passed.kind.is_floating)
            return false;
        signature.parameters[signature.count++] = *parameter;
    }
    return list.empty();
}

/// The name of an LLVM intrinsic here, and whether its integers are signed.
struct Intrinsic {
    std::string_view name;
    bool is_signed = false;
};

Intrinsic intrinsic_of(std::string_view name) {
    static const Table<Intrinsic> table = {
        {"abs", {"abs", true}},           {"smin", {"min", true}},
        {"smax", {"max", true}},          {"umin", {"min", false}},
        {"umax", {"max", false}},         {"sadd.sat", {"add_sat", true}},
        {"uadd.sat", {"add_sat", false}}, {"ssub.sat", {"sub_sat", true}},
        {"usub.sat", {"sub_sat", false}}, {"ctlz", {"clz", false}},
        {"cttz", {"ctz", false}},         {"ctpop", {"popcount", false}},
        {"fmuladd", {"mad", true}},       {"minnum", {"fmin", true}},
        {"maxnum", {"fmax", true}},       {"roundeven", {"rint", true}},
        {"nearbyint", {"rint", true}}};
    const std::size_t dot = name.find('.');
    const bool saturates = dot != std::string_view::npos && name.substr(dot).starts_with(".sat.");
    const std::string_view base = name.substr(0, saturates ? dot + 4 : dot);
    return find(table, base, Intrinsic{base, false});
}

void read_intrinsic(const ir::Function& function, Signature& signature) {
    const Intrinsic intrinsic =
        intrinsic_of(signature.name.substr(std::string_view("llvm.").size()));
    signature.name = intrinsic.name;
    for (const ir::Argument* argument : function.arguments) {
        const Parameter parameter = parameter_of(argument->type, intrinsic.is_signed);
        if (parameter.kind.bytes != 0) // no flag
            signature.parameters[signature.count++] = parameter;
    }
}

// Lanes

template <class Number> Number load(const std::byte* from) {
    Number number;
    std::memcpy(&number, from, sizeof number);
    return number;
}

std::uint64_t load_bits(const std::byte* from, std::size_t bytes) {
    switch (bytes) {
    case 1:
        return load<std::uint8_t>(from);
    case 2:
        return load<std::uint16_t>(from);
    case 4:
        return load<std::uint32_t>(from);
    default:
        return load<std::uint64_t>(from);
    }
}

void load_lane(const std::byte* from, const Kind& kind, Wide& value) {
    const std::uint64_t bits = load_bits(from, kind.bytes);
    const unsigned unused = 64 - kind.bits();
    value = kind.is_signed ? Wide{static_cast<std::int64_t>(bits << unused) >> unused} : Wide{bits};
}

void load_lane(const std::byte* from, const Kind& kind, double& value) {
    if (kind.is_floating) {
        value = kind.bytes == 4 ? load<float>(from) : load<double>(from);
    } else {
        Wide integer = 0;
        load_lane(from, kind, integer);
        value = static_cast<double>(integer);
    }
}

/// Stores the lowest bits of `value`.
void store_lane(std::byte* to, const Kind& kind, Wide value) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::memcpy(to, &bits, kind.bytes);
}

/// `value` is whole if the kind is an integer.
void store_lane(std::byte* to, const Kind& kind, double value) {
    if (!kind.is_floating) {
        store_lane(to, kind, static_cast<Wide>(value));
    } else if (kind.bytes == 4) {
        const auto rounded = static_cast<float>(value);
        std::memcpy(to, &rounded, sizeof rounded);
    } else {
        std::memcpy(to, &value, sizeof value);
    }
}

/// The numbers that one lane of the result is computed from; 0 for missing parameters.
template <class Number> using Numbers = std::array<Number, most_parameters>;

/// Applies a function to each lane.
template <class Number, class Function>
Pure by_lanes(const Signature& signature, const Function& function) {
    for (std::size_t i = 0; i < signature.count; ++i)
        if (signature.parameters[i].lanes != 1 &&
            signature.parameters[i].lanes != signature.result.lanes)
            return {};
    return [signature, function](std::span<const Operand> arguments, std::byte* result) {
        Numbers<Number> numbers{};
        const auto& [kind, lanes] = signature.result;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (std::size_t i = 0; i < signature.count; ++i) {
                const Parameter& parameter = signature.parameters[i];
                load_lane(parameter.lane(arguments[i], lane), parameter.kind, numbers[i]);
            }
            store_lane(result + lane * kind.bytes, kind, function(numbers));
        }
    };
}

// Math, and what the standard calls common functions: in double, rounded once. That satisfies even
// the requirement of correct rounding, since a double has more than twice the bits of a float.

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using Ternary = double (*)(double, double, double);

/// `quarters` of a turn (0 to 3), and the rest, up to an eighth of a turn, in radians.
struct Angle {
    unsigned quarters = 0;
    double rest = 0;
};

Angle angle_of(double half_turns) {
    const double turn = std::fmod(half_turns, 2.0);
    const double quarters = std::rint(2 * turn);
    return {static_cast<unsigned>(static_cast<int>(quarters)) & 3U, pi * (turn - quarters / 2)};
}

double sin_pi(double x) {
    if (!std::isfinite(x))
        return not_a_number;
    const auto [quarters, rest] = angle_of(x);
    if (quarters % 2 == 0 && rest == 0)
        return std::copysign(0.0, x);
    const double value = quarters % 2 == 0 ? std::sin(rest) : std::cos(rest);
    return quarters < 2 ? value : -value;
}

double cos_pi(double x) {
    if (!std::isfinite(x))
        return not_a_number;
    const auto [quarters, rest] = angle_of(x);
    if (quarters % 2 == 1 && rest == 0)
        return 0;
    const double value = quarters % 2 == 0 ? std::cos(rest) : std::sin(rest);
    return quarters == 1 || quarters == 2 ? -value : value;
}

double cube_root(double x) {
    // glibc's version for double is wrong by up to 4 ulp; the standard allows 2
    return static_cast<double>(std::cbrt(static_cast<long double>(x)));
}

double log_gamma(double x) {
    int sign = 0; // std::lgamma would store it in a global variable
    return ::lgamma_r(x, &sign);
}

double exponent_of(double x) {
    if (std::isnan(x))
        return std::numeric_limits<int>::max(); // clang's FP_ILOGBNAN
    return x == 0 ? std::numeric_limits<int>::min() : std::ilogb(x);
}

double max_mag(double x, double y) {
    if (std::fabs(x) == std::fabs(y))
        return std::fmax(x, y);
    return std::fabs(x) > std::fabs(y) || std::isnan(y) ? x : y;
}

double min_mag(double x, double y) {
    if (std::fabs(x) == std::fabs(y))
        return std::fmin(x, y);
    return std::fabs(x) < std::fabs(y) || std::isnan(y) ? x : y;
}

double powr(double x, double y) {
    const bool is_zero_or_infinite = x == 0 || std::isinf(x);
    if (std::isnan(x) || std::isnan(y) || x < 0 || (y == 0 && is_zero_or_infinite) ||
        (x == 1 && std::isinf(y)))
        return not_a_number;
    return std::pow(std::fabs(x), y);
}

double root(double x, double n) {
    const bool is_odd = std::fmod(n, 2) != 0;
    if (n == 0 || (x < 0 && !is_odd))
        return not_a_number;
    // 1 / n must be more precise than the result
    const long double power = std::pow(std::fabs(static_cast<long double>(x)), 1 / (1.0L * n));
    return static_cast<double>(is_odd ? std::copysign(power, static_cast<long double>(x)) : power);
}

double smooth_step(double from, double to, double x) {
    const double t = std::fmin(std::fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3 - 2 * t);
}

double sign_of(double x) {
    if (x == 0)
        return x;
    return std::isnan(x) ? 0 : std::copysign(1.0, x);
}

Unary find_unary(std::string_view name) {
    static const Table<Unary> plain = {
        {"acos", std::acos}, {"acosh", std::acosh}, {"asin", std::asin},     {"asinh", std::asinh},
        {"atan", std::atan}, {"atanh", std::atanh}, {"cbrt", cube_root},     {"ceil", std::ceil},
        {"cos", std::cos},   {"cosh", std::cosh},   {"cospi", cos_pi},       {"erf", std::erf},
        {"erfc", std::erfc}, {"exp", std::exp},     {"exp2", std::exp2},     {"expm1", std::expm1},
        {"fabs", std::fabs}, {"floor", std::floor}, {"ilogb", exponent_of},  {"lgamma", log_gamma},
        {"log", std::log},   {"log10", std::log10}, {"log1p", std::log1p},   {"log2", std::log2},
        {"logb", std::logb}, {"rint", std::rint},   {"round", std::round},   {"sign", sign_of},
        {"sin", std::sin},   {"sinh", std::sinh},   {"sinpi", sin_pi},       {"sqrt", std::sqrt},
        {"tan", std::tan},   {"tanh", std::tanh},   {"tgamma", std::tgamma}, {"trunc", std::trunc}};
    static const Table<Unary> composed = {
        {"acospi", [](double x) { return std::acos(x) / pi; }},
        {"asinpi", [](double x) { return std::asin(x) / pi; }},
        {"atanpi", [](double x) { return std::atan(x) / pi; }},
        {"degrees", [](double x) { return 180 / pi * x; }},
        {"exp10", [](double x) { return std::pow(10.0, x); }},
        {"radians", [](double x) { return pi / 180 * x; }},
        {"recip", [](double x) { return 1 / x; }},
        {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
        {"tanpi", [](double x) { return sin_pi(x) / cos_pi(x); }},
    };
    return find(plain, name, find<Unary>(composed, name, nullptr));
}

Binary find_binary(std::string_view name) {
    static const Table<Binary> plain = {{"atan2", std::atan2},
                                        {"copysign", std::copysign},
                                        {"fdim", std::fdim},
                                        {"fmax", std::fmax},
                                        {"fmin", std::fmin},
                                        {"fmod", std::fmod},
                                        {"maxmag", max_mag},
                                        {"minmag", min_mag},
                                        {"nextafter", std::nextafter},
                                        {"pow", std::pow},
                                        {"powi", std::pow},
                                        {"pown", std::pow},
                                        {"powr", powr},
                                        {"remainder", std::remainder},
                                        {"rootn", root}};
    static const Table<Binary> composed = {
        {"atan2pi", [](double y, double x) { return std::atan2(y, x) / pi; }},
        {"divide", [](double x, double y) { return x / y; }},
        {"hypot", [](double x, double y) { return std::hypot(x, y); }},
        {"ldexp", [](double x, double n) { return std::ldexp(x, static_cast<int>(n)); }},
        {"max", [](double x, double y) { return x < y ? y : x; }},
        {"min", [](double x, double y) { return y < x ? y : x; }},
        {"step", [](double edge, double x) { return x < edge ? 0.0 : 1.0; }},
    };
    return find(plain, name, find<Binary>(composed, name, nullptr));
}

double next_single(double x, double y) {
    return std::nextafter(static_cast<float>(x), static_cast<float>(y));
}

double clamped(double x, double low, double high) { return std::fmin(std::fmax(x, low), high); }

Ternary find_ternary(std::string_view name, bool is_single) {
    static const Table<Ternary> table = {
        {"clamp", clamped},
        {"fma", std::fma},
        {"mad", [](double x, double y, double z) { return x * y + z; }},
        {"mix", [](double x, double y, double share) { return x + (y - x) * share; }},
        {"smoothstep", smooth_step},
    };
    static const Table<Ternary> of_floats = {
        {"fma",
         [](double x, double y, double z) -> double {
             return std::fma(float(x), float(y), float(z));
         }},
        {"mad", [](double x, double y, double z) { return float(x * y) + z; }},
    };
    const auto found = find<Ternary>(table, name, nullptr);
    return is_single ? find(of_floats, name, found) : found;
}

Pure find_math(const Signature& signature) {
    std::string_view name = signature.name;
    for (const std::string_view prefix : {"half_", "native_"})
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    const bool is_single = signature.kind().bytes == 4;
    if (!signature.kind().is_floating || signature.result.kind.is_floating == (name == "ilogb"))
        return {};
    using Values = Numbers<double>;
    if (signature.count == 1) {
        if (const Unary unary = find_unary(name))
            return by_lanes<double>(signature, [unary](const Values& x) { return unary(x[0]); });
    } else if (signature.count == 2) {
        const bool next = is_single && name == "nextafter";
        if (const Binary binary = next ? next_single : find_binary(name))
            return by_lanes<double>(signature,
                                    [binary](const Values& x) { return binary(x[0], x[1]); });
    } else if (const Ternary ternary = find_ternary(name, is_single)) {
        return by_lanes<double>(signature,
                                [ternary](const Values& x) { return ternary(x[0], x[1], x[2]); });
    }
    return {};
}

/// nan(): its argument's bits are the result's lowest.
Pure find_nan(const Signature& signature) {
    const Kind& kind = signature.result.kind;
    if (signature.name != "nan" || signature.kind().is_floating || !kind.is_floating)
        return {};
    const Wide quiet = kind.bytes == 4 ? 0x7fc00000 : 0x7ff8000000000000;
    const Wide payload = kind.bytes == 4 ? 0x3fffff : 0x7ffffffffffff;
    return by_lanes<Wide>(
        signature, [quiet, payload](const Numbers<Wide>& x) { return quiet | (x[0] & payload); });
}

// Integers

WideUnsigned low_bits(Wide value, const Kind& kind) {
    return static_cast<WideUnsigned>(value) & ((WideUnsigned{1} << kind.bits()) - 1);
}

/// The bits of `high` followed by those of `low`.
WideUnsigned joined(Wide high, Wide low, const Kind& kind) {
    return static_cast<WideUnsigned>(high) << kind.bits() | low_bits(low, kind);
}

unsigned shift_of(Wide value, const Kind& kind) {
    return static_cast<unsigned>(value) & (kind.bits() - 1);
}

Wide shifted_left(Wide high, Wide low, Wide by, const Kind& kind) {
    return static_cast<Wide>(joined(high, low, kind) << shift_of(by, kind) >> kind.bits());
}

Wide shifted_right(Wide high, Wide low, Wide by, const Kind& kind) {
    return static_cast<Wide>(joined(high, low, kind) >> shift_of(by, kind));
}

/// The bits of the product above the lowest kind.bits(); still higher ones may be wrong.
Wide high_product(Wide x, Wide y, const Kind& kind) {
    const WideUnsigned product = static_cast<WideUnsigned>(x) * static_cast<WideUnsigned>(y);
    return static_cast<Wide>(product >> kind.bits());
}

Wide saturated(Wide value, const Kind& kind) {
    return std::clamp(value, kind.lowest(), kind.highest());
}

Wide mad_saturated(Wide x, Wide y, Wide z, const Kind& kind) {
    Wide sum = 0; // it overflows only for large unsigned numbers
    if (__builtin_mul_overflow(x, y, &sum) || __builtin_add_overflow(sum, z, &sum))
        return kind.highest();
    return saturated(sum, kind);
}

unsigned long long low_word(Wide value, const Kind& kind) {
    return static_cast<unsigned long long>(low_bits(value, kind));
}

Wide leading_zeros(Wide value, const Kind& kind) {
    const unsigned long long bits = low_word(value, kind);
    return static_cast<int>(kind.bits()) - (bits == 0 ? 0 : 64 - __builtin_clzll(bits));
}

Wide trailing_zeros(Wide value, const Kind& kind) {
    const unsigned long long bits = low_word(value, kind);
    return bits == 0 ? static_cast<int>(kind.bits()) : __builtin_ctzll(bits);
}

/// `value` with its pieces of `piece` bits in reverse order.
Wide reversed(Wide value, unsigned piece, const Kind& kind) {
    const WideUnsigned mask = (WideUnsigned{1} << piece) - 1;
    WideUnsigned bits = low_bits(value, kind);
    WideUnsigned result = 0;
    for (unsigned done = 0; done < kind.bits(); done += piece, bits >>= piece)
        result = result << piece | (bits & mask);
    return static_cast<Wide>(result);
}

/// `kind` is that of the first parameter.
using Integer = Wide (*)(Wide x, Wide y, Wide z, const Kind& kind);

Integer integer_of(std::string_view name) {
    using W = Wide;
    using K = const Kind&;
    static const Table<Integer> table = {
        {"abs", [](W x, W, W, K) { return x < 0 ? -x : x; }},
        {"abs_diff", [](W x, W y, W, K) { return std::max(x, y) - std::min(x, y); }},
        {"add_sat", [](W x, W y, W, K kind) { return saturated(x + y, kind); }},
        {"bitreverse", [](W x, W, W, K kind) { return reversed(x, 1, kind); }},
        {"bswap", [](W x, W, W, K kind) { return reversed(x, 8, kind); }},
        {"clamp", [](W x, W low, W high, K) { return std::min(std::max(x, low), high); }},
        {"clz", [](W x, W, W, K kind) { return leading_zeros(x, kind); }},
        {"ctz", [](W x, W, W, K kind) { return trailing_zeros(x, kind); }},
        {"fshl", [](W x, W y, W by, K kind) { return shifted_left(x, y, by, kind); }},
        {"fshr", [](W x, W y, W by, K kind) { return shifted_right(x, y, by, kind); }},
        {"hadd", [](W x, W y, W, K) { return (x + y) >> 1; }},
        {"mad24", [](W x, W y, W z, K) { return x * y + z; }},
        {"mad_hi", [](W x, W y, W z, K kind) { return high_product(x, y, kind) + z; }},
        {"mad_sat", mad_saturated},
        {"max", [](W x, W y, W, K) { return std::max(x, y); }},
        {"min", [](W x, W y, W, K) { return std::min(x, y); }},
        {"mul24", [](W x, W y, W, K) { return x * y; }},
        {"mul_hi", [](W x, W y, W, K kind) { return high_product(x, y, kind); }},
        {"popcount", [](W x, W, W, K kind) { return W{__builtin_popcountll(low_word(x, kind))}; }},
        {"rhadd", [](W x, W y, W, K) { return (x + y + 1) >> 1; }},
        {"rotate", [](W x, W by, W, K kind) { return shifted_left(x, x, by, kind); }},
        {"sub_sat", [](W x, W y, W, K kind) { return saturated(x - y, kind); }},
        {"upsample", [](W x, W y, W, K kind) { return static_cast<W>(joined(x, y, kind)); }},
    };
    return find<Integer>(table, name, nullptr);
}

Pure find_integer(const Signature& signature) {
    const Integer function = integer_of(signature.name);
    if (function == nullptr || signature.kind().is_floating)
        return {};
    return by_lanes<Wide>(signature, [function, kind = signature.kind()](const Numbers<Wide>& x) {
        return function(x[0], x[1], x[2], kind);
    });
}

// Relations

/// Tests of one number get the smallest normal number as `y`.
using Test = bool (*)(double x, double y);

Pure find_test(const Signature& signature) {
    static const Table<Test> table = {
        {"isequal", [](double x, double y) { return x == y; }},
        {"isfinite", [](double x, double) { return std::isfinite(x); }},
        {"isgreater", [](double x, double y) { return x > y; }},
        {"isgreaterequal", [](double x, double y) { return x >= y; }},
        {"isinf", [](double x, double) { return std::isinf(x); }},
        {"isless", [](double x, double y) { return x < y; }},
        {"islessequal", [](double x, double y) { return x <= y; }},
        {"islessgreater", [](double x, double y) { return x < y || x > y; }},
        {"isnan", [](double x, double) { return std::isnan(x); }},
        {"isnormal", [](double x, double y) { return std::isfinite(x) && std::fabs(x) >= y; }},
        {"isnotequal", [](double x, double y) { return x != y; }},
        {"isordered", [](double x, double y) { return !std::isunordered(x, y); }},
        {"isunordered", [](double x, double y) { return std::isunordered(x, y); }},
        {"signbit", [](double x, double) { return std::signbit(x); }},
    };
    const Test test = find<Test>(table, signature.name, nullptr);
    if (test == nullptr || !signature.kind().is_floating)
        return {};
    const double smallest = signature.kind().bytes == 4 ? double{std::numeric_limits<float>::min()}
                                                        : std::numeric_limits<double>::min();
    const bool is_unary = signature.count == 1;
    const Wide truth = signature.result.lanes == 1 ? 1 : -1;
    return by_lanes<double>(signature, [=](const Numbers<double>& x) {
        return test(x[0], is_unary ? smallest : x[1]) ? truth : Wide{0};
    });
}

Pure find_any_or_all(const Signature& signature) {
    const bool all = signature.name == "all";
    if ((!all && signature.name != "any") || signature.count != 1)
        return {};
    return [signature, all](std::span<const Operand> arguments, std::byte* result) {
        const auto& [kind, lanes] = signature.parameters[0];
        std::size_t negative = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane)
            negative += arguments[0].get_signed(lane) < 0 ? 1 : 0;
        const bool holds = all ? negative == lanes : negative > 0;
        store_lane(result, signature.result.kind, Wide{holds ? 1 : 0});
    };
}

/// Functions that select bits of any numbers.
Pure find_selection(const Signature& signature) {
    using Bits = Numbers<Wide>;
    if (signature.name == "bitselect")
        return by_lanes<Wide>(signature,
                              [](const Bits& x) { return (x[0] & ~x[2]) | (x[1] & x[2]); });
    if (signature.name != "select")
        return {};
    if (signature.result.lanes == 1)
        return by_lanes<Wide>(signature, [](const Bits& x) { return x[2] != 0 ? x[1] : x[0]; });
    const Wide highest = Wide{1} << (signature.kind().bits() - 1);
    return by_lanes<Wide>(signature,
                          [highest](const Bits& x) { return (x[2] & highest) != 0 ? x[1] : x[0]; });
}

Pure find_shuffle(const Signature& signature) {
    if (signature.count < 2 || signature.name != (signature.count == 2 ? "shuffle" : "shuffle2"))
        return {};
    const std::size_t sources = signature.count - 1; // the last parameter is the mask
    const auto& [first, second, third] = signature.parameters;
    const bool sources_fit = sources == 1 || second.lanes == first.lanes;
    if (!sources_fit || (first.lanes & (first.lanes - 1)) != 0 ||
        first.kind.bytes != signature.result.kind.bytes ||
        signature.parameters[sources].lanes != signature.result.lanes)
        return {};
    return [signature, sources](std::span<const Operand> arguments, std::byte* result) {
        const auto& [kind, lanes] = signature.parameters[0];
        for (std::size_t lane = 0; lane < signature.result.lanes; ++lane) {
            const std::size_t from = arguments[sources].get_unsigned(lane) & (sources * lanes - 1);
            const std::byte* source = arguments[from / lanes].data;
            std::memcpy(result + lane * kind.bytes, source + from % lanes * kind.bytes, kind.bytes);
        }
    };
}

// Geometry

using Vector = std::array<double, 4>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Divides by a power of two so that a length can be computed. Returns its exponent.
int shrink(Vector& a) {
    double largest = 0;
    for (const double x : a)
        largest = std::fmax(largest, std::fabs(x));
    const int exponent = largest == 0 || std::isinf(largest) ? 0 : std::ilogb(largest);
    for (double& x : a)
        x = std::scalbn(x, -exponent);
    return exponent;
}

double length(Vector a) {
    const int exponent = shrink(a);
    return std::scalbn(std::sqrt(dot(a, a)), exponent);
}

Vector difference(const Vector& a, const Vector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]};
}

Vector normalized(Vector a) {
    if (std::ranges::any_of(a, [](double x) { return std::isinf(x); }))
        for (double& x : a) // of the infinite ones, as the standard says
            x = std::isinf(x) ? std::copysign(1.0, x) : 0 * x;
    shrink(a);
    const double size = std::sqrt(dot(a, a));
    for (double& x : a)
        x = size == 0 ? x : x / size;
    return a;
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0};
}

/// Missing lanes are 0.
using Geometric = Vector (*)(const Vector& a, const Vector& b);

Pure find_geometric(const Signature& signature) {
    static const Table<Geometric> table = {
        {"cross", cross},
        {"distance",
         [](const Vector& a, const Vector& b) { return Vector{length(difference(a, b))}; }},
        {"dot", [](const Vector& a, const Vector& b) { return Vector{dot(a, b)}; }},
        {"length", [](const Vector& a, const Vector&) { return Vector{length(a)}; }},
        {"normalize", [](const Vector& a, const Vector&) { return normalized(a); }},
    };
    std::string_view name = signature.name;
    if (name.starts_with("fast_"))
        name.remove_prefix(std::string_view("fast_").size());
    const auto function = find<Geometric>(table, name, nullptr);
    const std::size_t most = std::max(
        {signature.parameters[0].lanes, signature.parameters[1].lanes, signature.result.lanes});
    if (function == nullptr || !signature.kind().is_floating || most > Vector{}.size())
        return {};
    return [signature, function](std::span<const Operand> arguments, std::byte* result) {
        std::array<Vector, 2> vectors{};
        for (std::size_t i = 0; i < std::min<std::size_t>(signature.count, 2); ++i) {
            const Parameter& parameter = signature.parameters[i];
            for (std::size_t lane = 0; lane < parameter.lanes; ++lane)
                load_lane(parameter.lane(arguments[i], lane), parameter.kind, vectors[i][lane]);
        }
        const Vector computed = function(vectors[0], vectors[1]);
        const Kind& kind = signature.result.kind;
        for (std::size_t lane = 0; lane < signature.result.lanes; ++lane)
            store_lane(result + lane * kind.bytes, kind, computed[lane]);
    };
}

// Conversions

struct Conversion {
    Kind to;
    bool saturates = false;
    char rounding = 0; ///< the last letter of _rte, _rtz, _rtp, _rtn
};

/// `nearest`, or the next number in the direction of rounding; `error`: the sign of its error.
double rounded(double nearest, int error, const Conversion& conversion) {
    const char rounding = conversion.rounding;
    const bool down = error > 0 && (rounding == 'n' || (rounding == 'z' && nearest > 0));
    const bool up = error < 0 && (rounding == 'p' || (rounding == 'z' && nearest < 0));
    if (!down && !up)
        return nearest;
    const double there = up ? infinity : -infinity;
    return conversion.to.bytes == 4 ? next_single(nearest, there) : std::nextafter(nearest, there);
}

template <class Number> int order(const Number& a, const Number& b) {
    return static_cast<int>(b < a) - static_cast<int>(a < b);
}

double to_floating(double value, const Conversion& conversion) {
    if (conversion.to.bytes == 8)
        return value;
    const double nearest = static_cast<float>(value);
    return rounded(nearest, order(nearest, value), conversion);
}

double to_floating(Wide value, const Conversion& conversion) {
    const double nearest =
        conversion.to.bytes == 4 ? double{static_cast<float>(value)} : static_cast<double>(value);
    return rounded(nearest, order(static_cast<Wide>(nearest), value), conversion);
}

double to_whole(double value, char rounding) {
    switch (rounding) {
    case 'e':
        return std::rint(value);
    case 'p':
        return std::ceil(value);
    case 'n':
        return std::floor(value);
    default:
        return std::trunc(value);
    }
}

/// Always saturates: without _sat, values out of range may become anything.
Wide to_integer(double value, const Conversion& conversion) {
    const Kind& to = conversion.to;
    const double whole = to_whole(value, conversion.rounding);
    if (std::isnan(whole))
        return 0;
    if (whole <= static_cast<double>(to.lowest()))
        return to.lowest();
    return whole >= static_cast<double>(to.highest()) ? to.highest() : static_cast<Wide>(whole);
}

Wide to_integer(Wide value, const Conversion& conversion) {
    return conversion.saturates ? saturated(value, conversion.to) : value;
}

template <class From> Pure apply(const Signature& signature, const Conversion& how) {
    using Value = Numbers<From>;
    if (how.to.is_floating)
        return by_lanes<From>(signature, [how](const Value& x) { return to_floating(x[0], how); });
    return by_lanes<From>(signature, [how](const Value& x) { return to_integer(x[0], how); });
}

Pure find_conversion(const Signature& signature) {
    constexpr std::string_view prefix = "convert_";
    if (!signature.name.starts_with(prefix) || signature.count != 1)
        return {};
    const std::string_view name = signature.name.substr(prefix.size());
    Conversion how;
    how.to = kind_of(name.substr(0, name.find_first_of("0123456789_")));
    how.saturates = name.find("_sat") != std::string_view::npos;
    for (const std::string_view rounding : {"_rte", "_rtz", "_rtp", "_rtn"})
        if (name.ends_with(rounding))
            how.rounding = rounding.back();
    if (how.to.bytes != signature.result.kind.bytes ||
        how.to.is_floating != signature.result.kind.is_floating)
        return {};
    if (signature.kind().is_floating)
        return apply<double>(signature, how);
    return apply<Wide>(signature, how);
}

} // namespace
} // namespace pure

Pure find_pure(const ir::Function& function) {
    using namespace pure;
    Signature signature;
    signature.name = function.plain_name;
    if (function.arguments.empty() || function.arguments.size() > most_parameters)
        return {};
    if (signature.name.starts_with("llvm."))
        read_intrinsic(function, signature);
    else if (!read_mangled(function, signature))
        return {};
    signature.result = parameter_of(function.result, signature.kind().is_signed);
    if (signature.kind().bytes == 0 || signature.result.kind.bytes == 0)
        return {};
    for (const auto find : {find_conversion, find_any_or_all, find_selection, find_shuffle,
                            find_nan, find_geometric, find_test, find_integer, find_math})
        if (Pure found = find(signature))
            return found;
    return {};
}

std::size_t bytes_of_type(std::string_view name) { return pure::kind_of(name).bytes; }

} // namespace labgrind::vm
