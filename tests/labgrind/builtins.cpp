#include "labgrind/vm/builtins.hpp"

#include "../corpora.hpp"
#include "builtin_calls.hpp"
#include "labgrind/vm/clang.hpp"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using builtins::Call;
using builtins::Element;
using builtins::Shape;
using namespace labgrind;

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t rounds = 256;           // sets of arguments per call, one per work-item
constexpr std::size_t room = rounds * 16 * 8; // bytes for that many of the largest values
constexpr std::size_t most_arguments = 3;
constexpr std::size_t calls_of_a_kernel = 20;
constexpr std::size_t calls_of_a_push = 60;

// --- the calls that are tried ------------------------------------------------------------------------

/// The calls that this run tries: all, or a share that the commit chooses.
std::vector<Call> choose_calls() {
    std::vector<Call> calls = builtins::all_calls();
    if (corpora::chosen() == "all")
        return calls;
    std::vector<std::string> texts(calls.size());
    std::ranges::transform(calls, texts.begin(), [](const Call& one) { return one.text(); });
    const std::vector<std::string> drawn = corpora::draw(texts, calls_of_a_push, corpora::commit());
    std::erase_if(calls,
                  [&](const Call& one) { return !std::ranges::binary_search(drawn, one.text()); });
    return calls;
}

// --- arguments ---------------------------------------------------------------------------------------

double draw_special(std::mt19937_64& random, bool single) {
    using Single = std::numeric_limits<float>;
    using Double = std::numeric_limits<double>;
    static constexpr std::array values{0.0,     -0.0,      1.0,        -1.0,   0.5,     -0.5,
                                       1.5,     2.5,       -2.5,       3.0,    2.0,     -2.0,
                                       1e30,    1e-30,     127.5,      -128.5, 255.5,   32767.5,
                                       65535.5, 1000000.5, 16777217.0, 0x1p31, -0x1p31, 0x1p63};
    const double highest = single ? Single::max() : Double::max();
    const std::array limits{Double::quiet_NaN(),
                            Double::infinity(),
                            -Double::infinity(),
                            highest,
                            -highest,
                            single ? Single::min() : Double::min(),
                            single ? Single::denorm_min() : Double::denorm_min()};
    const std::size_t number = random() % (values.size() + limits.size());
    return number < values.size() ? values.at(number) : limits.at(number - values.size());
}

/// Writes a number to `to`.
void draw_number(std::mt19937_64& random, const Element& of, bool small, std::byte* to) {
    std::uint64_t bits = random();
    const std::uint64_t exponent = of.bytes == 4 ? 0x7f800000 : 0x7ff0000000000000;
    if (of.is_floating && (bits & exponent) == exponent)
        bits |= exponent >> 1; // for a signaling NaN, fmax and fmin can return anything
    const double near = std::uniform_real_distribution<double>(-8, 8)(random);
    const double value = small || random() % 3 != 0 ? near : draw_special(random, of.bytes == 4);
    const auto single = static_cast<float>(value);
    const std::array integers{random() % 20 - 10, bits >> random() % 64,
                              (std::uint64_t{1} << (8 * of.bytes - 1)) - random() % 3};
    if (!small && random() % 4 == 0)
        std::memcpy(to, &bits, of.bytes);
    else if (!of.is_floating)
        std::memcpy(to, &integers.at(bits % integers.size()), of.bytes);
    else
        std::memcpy(to, of.bytes == 4 ? static_cast<const void*>(&single) : &value, of.bytes);
}

/// Where the arguments of a kernel's call `number` are. Its results are at number * room.
std::size_t input_of(std::size_t number, std::size_t argument) {
    return (number * most_arguments + argument) * room;
}

/// Draws the arguments. Those of a call are the same in every run, whatever other calls it tries.
Bytes draw_input(const std::vector<Call>& calls) {
    Bytes input(input_of(calls.size(), 0));
    for (std::size_t number = 0; number < calls.size(); ++number) {
        const Call& call = calls[number];
        const std::string text = call.text();
        std::seed_seq seed(text.begin(), text.end());
        std::mt19937_64 random(seed);
        const bool small = call.range == builtins::Arguments::small;
        for (std::size_t argument = 0; argument < call.arguments.size(); ++argument) {
            const Shape& shape = call.arguments[argument];
            std::byte* const begin = &input[input_of(number, argument)];
            for (std::size_t lane = 0; lane < rounds * shape.lanes; ++lane)
                draw_number(random, *shape.element, small, begin + lane * shape.element->bytes);
        }
    }
    return input;
}

// --- kernels -----------------------------------------------------------------------------------------

/// A pointer to the elements from byte `at` of a buffer on, in OpenCL C.
std::string pointer(const std::string& buffer, const Shape& shape, std::size_t at) {
    return std::string("((global ") + shape.element->name + "*)(" + buffer + " + " +
           std::to_string(at) + "))";
}

std::string source_of(const Call& call, std::size_t number) {
    std::string value = call.name + "(";
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Shape& shape = call.arguments[i];
        const std::string from = pointer("in", shape, input_of(number, i));
        value += i == 0 ? "" : ", ";
        value += shape.lanes == 1 ? from + "[i]"
                                  : "vload" + std::to_string(shape.lanes) + "(i, " + from + ")";
    }
    const std::string to = pointer("out", call.result, number * room);
    if (call.result.lanes == 1)
        return to + "[i] = " + value + ");\n";
    return "vstore" + std::to_string(call.result.lanes) + "(" + value + "), i, " + to + ");\n";
}

std::string source_of(const std::vector<Call>& calls) {
    std::string source = "kernel void k(global uchar* in, global uchar* out) {\n"
                         "size_t i = get_global_id(0);\n";
    for (std::size_t number = 0; number < calls.size(); ++number)
        source += source_of(calls[number], number);
    return source + "}\n";
}

/// The functions that `kernel` calls for `calls`, as clang declares them.
std::vector<const ir::Function*> functions_called(const ir::Function& kernel,
                                                  const std::vector<Call>& calls) {
    std::vector<const ir::Function*> called;
    for (const ir::Block* block : kernel.blocks) {
        for (const ir::Instruction* instruction : block->instructions) {
            if (instruction->callee != nullptr && called.size() < calls.size() &&
                instruction->callee->plain_name == calls[called.size()].name)
                called.push_back(instruction->callee);
        }
    }
    return called;
}

/// POCL's devices, if any. All files that POCL writes are in `folder`.
std::vector<cl::Device> find_pocl(const std::string& folder) {
    // NOLINTBEGIN(concurrency-mt-unsafe): there are no threads yet
    ::setenv("POCL_CACHE_DIR", folder.c_str(), 1);
    ::setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", 1);
    // NOLINTEND(concurrency-mt-unsafe)
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;
    try {
        cl::Platform::get(&platforms);
        for (const cl::Platform& platform : platforms) {
            if (platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language")
                platform.getDevices(CL_DEVICE_TYPE_CPU, &devices);
        }
    } catch (const cl::Error&) { // no platform, or no CPU
        devices.clear();
    }
    return devices;
}

/// The output of the kernel k of `source` for `input`.
Bytes run(const cl::Device& device, const std::string& source, Bytes& input, std::size_t size) {
    const cl::Context context(device);
    const cl::Program program(context, source);
    program.build("-cl-std=CL1.2");
    const cl::Buffer in(context, input.begin(), input.end(), true);
    const cl::Buffer out(context, CL_MEM_READ_WRITE, size);
    cl::Kernel kernel(program, "k");
    kernel.setArg(0, in);
    kernel.setArg(1, out);
    const cl::CommandQueue queue(context, device);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(rounds), cl::NDRange(1));
    Bytes output(size);
    queue.enqueueReadBuffer(out, CL_TRUE, 0, size, output.data());
    return output;
}

// --- comparison --------------------------------------------------------------------------------------

/// Exact, because a long double holds all 64-bit numbers.
long double value_of(const Element& of, const std::byte* at) {
    if (!of.is_floating) {
        const vm::Operand operand{at, of.bytes, 1};
        return of.is_signed ? static_cast<long double>(operand.get_signed())
                            : static_cast<long double>(operand.get_unsigned());
    }
    float single = 0;
    double value = 0;
    std::memcpy(of.bytes == 4 ? static_cast<void*>(&single) : &value, at, of.bytes);
    return of.bytes == 4 ? static_cast<double>(single) : value;
}

/// The position of a floating-point number among all of its type, in order. Both zeros are at 0.
std::int64_t step_of(const Element& of, const std::byte* at) {
    const std::int64_t bits = vm::Operand{at, of.bytes, 1}.get_signed();
    const std::int64_t lowest = of.bytes == 4 ? std::numeric_limits<std::int32_t>::min()
                                              : std::numeric_limits<std::int64_t>::min();
    return bits < 0 ? lowest - bits : bits;
}

bool agree(const Call& call, const std::byte* mine, const std::byte* theirs) {
    const Element& of = *call.result.element;
    if (std::memcmp(mine, theirs, of.bytes) == 0)
        return true;
    if (!of.is_floating)
        return false;
    const long double a = value_of(of, mine);
    const long double b = value_of(of, theirs);
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (call.tolerance < 0)
        return std::fabs(a - b) <= -call.tolerance * (of.bytes == 4 ? 0x1p-23 : 0x1p-52);
    const auto [low, high] = std::minmax({step_of(of, mine), step_of(of, theirs)});
    return static_cast<double>(static_cast<std::uint64_t>(high) -
                               static_cast<std::uint64_t>(low)) <= call.tolerance;
}

/// Describes what differs in a round; "" if nothing does.
std::string compare(const Call& call, const vm::Pure& pure,
                    const std::vector<vm::Operand>& arguments, const std::byte* theirs) {
    Bytes mine(call.result.size()); // exactly this size, so that sanitizers notice more
    pure(arguments, mine.data());
    const Element& of = *call.result.element;
    std::ostringstream difference;
    difference.precision(17);
    for (std::size_t at = 0; at < mine.size(); at += of.bytes) {
        std::vector<long double> values;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const auto& [data, lane_size, lanes] = arguments[i];
            values.push_back(
                value_of(*call.arguments[i].element, data + at / of.bytes % lanes * lane_size));
        }
        if (agree(call, &mine[at], theirs + at) || builtins::is_open(call, values))
            continue;
        for (const long double value : values)
            difference << value << ' ';
        difference << "-> " << value_of(of, &mine[at]) << ", POCL: " << value_of(of, theirs + at)
                   << '\n';
    }
    return difference.str();
}

void check_calls(const cl::Device& device, const std::vector<Call>& calls) {
    const std::string source = source_of(calls);
    const ir::Module module(compile(source, "").module);
    const auto functions = functions_called(*module.function("k"), calls);
    REQUIRE(functions.size() == calls.size());
    Bytes input = draw_input(calls);
    const Bytes output = run(device, source, input, calls.size() * room);
    for (std::size_t number = 0; number < calls.size(); ++number) {
        const Call& call = calls[number];
        const vm::Pure pure = vm::find_pure(*functions[number]);
        CHECK_MESSAGE(pure, "unknown: " << call.text());
        std::string difference;
        for (std::size_t round = 0; pure && difference.empty() && round < rounds; ++round) {
            std::vector<vm::Operand> arguments;
            for (const Shape& shape : call.arguments)
                arguments.push_back(
                    {&input[input_of(number, arguments.size()) + round * shape.size()],
                     shape.element->bytes, shape.lanes});
            difference =
                compare(call, pure, arguments, &output[number * room + round * call.result.size()]);
        }
        CHECK_MESSAGE(difference.empty(), call.text() << ":\n" << difference);
    }
}

// --- intrinsics, which POCL cannot check -------------------------------------------------------------

struct Fact {
    const char* declared;
    std::vector<std::uint64_t> arguments; ///< the same in all lanes
    std::uint64_t result;
};

const std::vector<Fact> facts = {
    {"i32 @llvm.ctlz.i32(i32, i1)", {0x00010000, 1}, 15},
    {"i32 @llvm.ctlz.i32(i32, i1)", {0, 0}, 32},
    {"i64 @llvm.cttz.i64(i64, i1)", {0x100000000, 1}, 32},
    {"<4 x i16> @llvm.ctpop.v4i16(<4 x i16>)", {0xf0f1}, 9},
    {"i32 @llvm.bswap.i32(i32)", {0x12345678}, 0x78563412},
    {"i8 @llvm.bitreverse.i8(i8)", {0x13}, 0xc8},
    {"i8 @llvm.abs.i8(i8, i1)", {0x80, 0}, 0x80},
    {"i32 @llvm.abs.i32(i32, i1)", {0xffffffff, 0}, 1},
    {"i32 @llvm.smin.i32(i32, i32)", {0xffffffff, 1}, 0xffffffff},
    {"i32 @llvm.umin.i32(i32, i32)", {0xffffffff, 1}, 1},
    {"<3 x i32> @llvm.smax.v3i32(<3 x i32>, <3 x i32>)", {0xffffffff, 1}, 1},
    {"i64 @llvm.umax.i64(i64, i64)", {~0ULL, 1}, ~0ULL},
    {"i32 @llvm.uadd.sat.i32(i32, i32)", {0xffffffff, 2}, 0xffffffff},
    {"i8 @llvm.sadd.sat.i8(i8, i8)", {0x7f, 2}, 0x7f},
    {"i8 @llvm.usub.sat.i8(i8, i8)", {1, 2}, 0},
    {"i64 @llvm.ssub.sat.i64(i64, i64)", {1ULL << 63, 2}, 1ULL << 63},
    {"i32 @llvm.fshl.i32(i32, i32, i32)", {0x12345678, 0x9abcdef0, 40}, 0x3456789a},
    {"i32 @llvm.fshr.i32(i32, i32, i32)", {0x12345678, 0x9abcdef0, 8}, 0x789abcde},
    {"i64 @llvm.fshl.i64(i64, i64, i64)", {1, 1ULL << 63, 1}, 3},
    {"i64 @llvm.fshr.i64(i64, i64, i64)", {1, 0, 64}, 0},
    // (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24: rounding of the product loses the last term
    {"float @llvm.fmuladd.f32(float, float, float)",
     {0x3f800800, 0x3f800800, 0xbf800000},
     0x3a000000},
    {"float @llvm.fma.f32(float, float, float)", {0x3f800800, 0x3f800800, 0xbf800000}, 0x3a000400},
    {"<2 x double> @llvm.fabs.v2f64(<2 x double>)", {0xbff0000000000000}, 0x3ff0000000000000},
    {"float @llvm.sqrt.f32(float)", {0x40800000}, 0x40000000},
    {"float @llvm.floor.f32(float)", {0xbfc00000}, 0xc0000000},
    {"float @llvm.ceil.f32(float)", {0xbfc00000}, 0xbf800000},
    {"float @llvm.trunc.f32(float)", {0xbfc00000}, 0xbf800000},
    {"float @llvm.rint.f32(float)", {0xbfc00000}, 0xc0000000},
    {"float @llvm.minnum.f32(float, float)", {0x7fc00000, 0x3f800000}, 0x3f800000},
    {"float @llvm.maxnum.f32(float, float)", {0x40000000, 0x3f800000}, 0x40000000},
    {"float @llvm.copysign.f32(float, float)", {0x40000000, 0xbf800000}, 0xc0000000},
};

const std::vector<const char*> unknown = {"void @llvm.dbg.declare(metadata, metadata, metadata)",
                                          "float @_Z5fractfPU3AS1f(float)",
                                          "i64 @_Z13get_global_idj(i32)",
                                          "float @_Z7unknownf(float)",
                                          "i32 @_Z3sinf(float)",
                                          "i32 @_Z3dotDv4_fS_(<4 x float>)",
                                          "<4 x float> @_Z3sinDv3_f(<3 x float>)",
                                          "float @_Z3sinDv4_f(<4 x float>)"};

/// `value` in each lane.
Bytes lanes_of(const ir::Type& type, std::uint64_t value) {
    Bytes bytes(type.value_size());
    const std::size_t size = type.scalar().size;
    for (std::size_t at = 0; at < bytes.size(); at += size)
        std::memcpy(&bytes[at], &value, size);
    return bytes;
}

} // namespace

/// POCL leaks; make sanitize should report only our own leaks.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's name
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libpocl\nleak:libOpenCL\nleak:libLLVM\nleak:libclang\n";
}

TEST_CASE("builtins: results match POCL's for random arguments") {
    std::string folder = std::filesystem::absolute("build/builtins-XXXXXX");
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::shared_ptr<void> removed(nullptr, [&](void*) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    });
    const std::vector<cl::Device> devices = find_pocl(folder);
    if (devices.empty()) {
        MESSAGE("skipped: there is no POCL");
        return;
    }
    const std::vector<Call> calls = choose_calls();
    for (std::size_t first = 0; first < calls.size(); first += calls_of_a_kernel) {
        const Call* const begin = &calls[first];
        const std::size_t count = std::min(calls_of_a_kernel, calls.size() - first);
        check_calls(devices.front(), {begin, begin + count});
    }
}

TEST_CASE("builtins: results match LLVM's intrinsics") {
    for (const Fact& fact : facts) {
        CAPTURE(fact.declared);
        const ir::Module module(std::string("declare ") + fact.declared);
        const ir::Function& function = *module.functions().at(0);
        std::vector<Bytes> values;
        std::vector<vm::Operand> operands;
        for (std::size_t i = 0; i < fact.arguments.size(); ++i) {
            const ir::Type& type = *function.arguments.at(i)->type;
            values.push_back(lanes_of(type, fact.arguments[i]));
            operands.push_back({values.back().data(), type.scalar().size, type.lanes()});
        }
        const vm::Pure pure = vm::find_pure(function);
        REQUIRE(pure);
        Bytes result(function.result->value_size());
        pure(operands, result.data());
        CHECK(result == lanes_of(*function.result, fact.result));
    }
}

TEST_CASE("builtins: unknown functions are not found") {
    for (const char* const declared : unknown) {
        CAPTURE(declared);
        CHECK_FALSE(
            vm::find_pure(*ir::Module(std::string("declare ") + declared).functions().at(0)));
    }
}
