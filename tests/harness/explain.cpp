#include "grader/explain.hpp"
#include "grader/runner_process.hpp"
#include "helpers.hpp"

#include <cmath>
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <random>

using grader::RunnerEnd;
using helpers::has;

namespace {

RunnerEnd death_by(RunnerEnd::How how, int code = 0) {
    RunnerEnd runner_end;
    runner_end.how = how;
    runner_end.code = code;
    runner_end.seconds = 2.345;
    return runner_end;
}

RunnerEnd in_kernel(RunnerEnd runner_end) {
    runner_end.kernels = {"scan_blocks"};
    runner_end.launch = 3;
    return runner_end;
}

} // namespace

TEST_CASE("the nearest name differs by few letters") {
    const std::vector<std::string> known{"scan_groups", "add_offsets"};
    CHECK(grader::nearest_name("add_offset", known) == "add_offsets");
    CHECK(grader::nearest_name("scan_gruops", known) == "scan_groups");
    CHECK(grader::nearest_name("reduce", known).empty());
    CHECK(grader::nearest_name("", known).empty());
}

TEST_CASE("a macro that only looks like one of the build options is explained") {
    const std::vector<std::string> options{
        "-DSUM -DCOMBINE(a,b)=((a)+(b)) -DIDENTITY=0.0f",
        "-DMINIMUM -DCOMBINE(a,b)=fmin((a),(b)) -DIDENTITY=INFINITY"};
    const auto explain = [&](const std::string& code) {
        return grader::explain_undefined_macro(options,
                                               grader::KernelFile::from_text(code, "sum.cl"));
    };
    CHECK(explain("int a;\n#if defined(MIN) || defined(SUM)\n#endif\n") ==
          "line 2 tests the macro MIN, which is not defined; did you mean MINIMUM?");
    CHECK(explain("#ifdef SUMS\n#endif\n") ==
          "line 1 tests the macro SUMS, which is not defined; did you mean SUM?");
    CHECK(explain("#ifdef MINIMUM\n#elif defined SUM\n#endif\n").empty());
    CHECK(explain("#define MIN 1\n#if MIN\n#endif\n").empty());
    CHECK(explain("#ifndef MIN\n#endif\n// #ifdef MIN\n").empty());
    CHECK(explain("#ifdef cl_khr_fp64\n#endif\n#if __OPENCL_VERSION__ >= 120\n#endif\n").empty());
}

TEST_CASE("a misspelled kernel name is explained with the names in the file") {
    const auto file = grader::KernelFile::from_text(
        "__kernel void scan_groups(int n) {}\n__kernel void add_offsets(int n) {}\n", "scan.cl");
    CHECK(grader::explain_kernel_name("add_offset", file) ==
          "scan.cl has the kernels add_offsets, scan_groups; did you mean add_offsets?");
    CHECK(grader::explain_kernel_name("sum", file) ==
          "scan.cl has the kernels add_offsets, scan_groups");
    const auto none = grader::KernelFile::from_text("int f(int n) { return n; }\n", "scan.cl");
    CHECK(grader::explain_kernel_name("sum", none) == "scan.cl has no kernel");
}

TEST_CASE("a compiler's count of its messages is not shown") {
    CHECK(grader::without_message_counts("1 warning generated.\n").find("warning") ==
          std::string::npos);
    CHECK(grader::without_message_counts("a\n2 warnings and 1 error generated.\nb\n") == "a\nb\n");
    CHECK(grader::without_message_counts("my 1 warning generated.\n") ==
          "my 1 warning generated.\n");
    CHECK(grader::without_message_counts("\nn = 4\n") == "\nn = 4\n");
}

TEST_CASE("lines of host code are quoted from the lab's folder only") {
    const helpers::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("labs"));
    folder.write("labs/sum.cpp", "int a;\nint b;\n");
    folder.write("secret.cpp", "int secret;\n");
    const std::string labs = folder.path("labs");
    CHECK(grader::quote_host_line({"labs/lab1/sum.cpp", 2}, labs) == "   2 | int b;");
    CHECK(grader::quote_host_line({"labs/lab1/sum.cpp", 3}, labs).empty());
    CHECK(grader::quote_host_line({"labs/lab1/../secret.cpp", 1}, labs).empty());
    std::filesystem::create_symlink("../secret.cpp", labs + "/link.cpp");
    CHECK(grader::quote_host_line({"labs/lab1/link.cpp", 1}, labs).empty());
}

TEST_CASE("OpenCL error codes have names") {
    for (const auto& known :
         std::vector<std::pair<int, std::string>>{{-1, "CL_DEVICE_NOT_FOUND"},
                                                  {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                                                  {-5, "CL_OUT_OF_RESOURCES"},
                                                  {-11, "CL_BUILD_PROGRAM_FAILURE"},
                                                  {-30, "CL_INVALID_VALUE"},
                                                  {-38, "CL_INVALID_MEM_OBJECT"},
                                                  {-46, "CL_INVALID_KERNEL_NAME"},
                                                  {-48, "CL_INVALID_KERNEL"},
                                                  {-51, "CL_INVALID_ARG_SIZE"},
                                                  {-52, "CL_INVALID_KERNEL_ARGS"},
                                                  {-54, "CL_INVALID_WORK_GROUP_SIZE"},
                                                  {-55, "CL_INVALID_WORK_ITEM_SIZE"},
                                                  {-61, "CL_INVALID_BUFFER_SIZE"},
                                                  {-63, "CL_INVALID_GLOBAL_WORK_SIZE"}}) {
        const int code = known.first;
        const std::string name = known.second;
        CAPTURE(code);
        const std::string text = grader::explain_opencl_error(code);
        const std::string begin = name + " (" + std::to_string(code) + "): ";
        CHECK(text.substr(0, begin.size()) == begin);
        CHECK(text.size() > begin.size() + 10);
    }
}

TEST_CASE("unknown codes are shown as numbers") {
    for (const int code : {1, -2000, -1001, std::numeric_limits<int>::min()}) {
        CAPTURE(code);
        CHECK(grader::explain_opencl_error(code) == "OpenCL error " + std::to_string(code));
    }
}

TEST_CASE("signals are described in words") {
    CHECK(has(grader::explain_signal(SIGSEGV), "segmentation fault"));
    CHECK(has(grader::explain_signal(SIGABRT), "abort"));
    CHECK(has(grader::explain_signal(SIGFPE), "divided by zero"));
    CHECK(has(grader::explain_signal(SIGBUS), "bus error"));
    CHECK(has(grader::explain_signal(SIGILL), "illegal instruction"));
    CHECK(has(grader::explain_signal(SIGTRAP), "trap"));
    CHECK(has(grader::explain_signal(SIGKILL), "memory"));
    CHECK(has(grader::explain_signal(SIGXCPU), "CPU time"));
    CHECK(has(grader::explain_signal(SIGHUP), "signal " + std::to_string(SIGHUP)));
    CHECK(has(grader::explain_signal(12345), "signal 12345"));
    CHECK(has(grader::explain_signal(-1), "signal -1"));
}

TEST_CASE("numbers are as short as possible") {
    CHECK(grader::show(0) == "0");
    CHECK(grader::show(-3) == "-3");
    CHECK(grader::show(16777216) == "16777216");
    CHECK(grader::show(1e14) == "100000000000000");
    CHECK(grader::show(0.5) == "0.5");
    CHECK(grader::show(-1.25) == "-1.25");
    CHECK(grader::show(1e30) == "1e+30");
    CHECK(grader::show(static_cast<double>(0.1F)) == "0.100000001");
    CHECK(grader::show(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(grader::show(-std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(has(grader::show(std::numeric_limits<double>::quiet_NaN()), "nan"));
}

TEST_CASE("floats are shown without loss") {
    const std::uint64_t seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 1000; ++i) {
        const float value = std::ldexp(static_cast<float>(random() >> 40U) - 0x1p23F,
                                       static_cast<int>(random() % 80) - 60);
        CAPTURE(value);
        CHECK(std::stof(grader::show(static_cast<double>(value))) == value);
    }
}

TEST_CASE("the sizes of a launch are shown") {
    wire::Launch launch;
    CHECK(grader::show_sizes(launch) == "1/?");
    launch.global_size = {4096, 1, 1};
    launch.work_group_size = {64, 1, 1};
    CHECK(grader::show_sizes(launch) == "4096/64");
    launch.global_size = {64, 32, 1};
    launch.work_group_size = {8, 4, 1};
    CHECK(grader::show_sizes(launch) == "64x32/8x4");
    launch.global_size = {64, 32, 16};
    launch.work_group_size = {8, 4, 2};
    CHECK(grader::show_sizes(launch) == "64x32x16/8x4x2");
    launch.work_group_size = {0, 0, 0};
    CHECK(grader::show_sizes(launch) == "64x32x16/?");
}

TEST_CASE("all three sizes are shown if only the second is 1") {
    wire::Launch launch;
    launch.global_size = {64, 1, 16};
    launch.work_group_size = {8, 1, 2};
    CHECK(grader::show_sizes(launch) == "64x1x16/8x1x2");
}

TEST_CASE("counts have singular and plural nouns") {
    CHECK(grader::count_of(0, "group") == "0 groups");
    CHECK(grader::count_of(1, "group") == "1 group");
    CHECK(grader::count_of(2, "group") == "2 groups");
    CHECK(grader::count_of(11, "work-item") == "11 work-items");
}

TEST_CASE("a hang is explained with its location") {
    const std::string kernel = grader::explain_end(in_kernel(death_by(RunnerEnd::How::hang)), {});
    CHECK(has(kernel, "kernel scan_blocks"));
    CHECK(has(kernel, "launch 3"));
    CHECK(has(kernel, "2.3 s"));
    CHECK_FALSE(has(kernel, "host code"));
    CHECK(has(grader::usual_causes(in_kernel(death_by(RunnerEnd::How::hang))), "barrier"));

    const std::string host = grader::explain_end(death_by(RunnerEnd::How::hang), {});
    CHECK(has(host, "your host code"));
    CHECK(has(grader::usual_causes(death_by(RunnerEnd::How::hang)), "loop"));
    CHECK_FALSE(has(grader::usual_causes(death_by(RunnerEnd::How::hang)), "barrier"));

    RunnerEnd waiting = death_by(RunnerEnd::How::hang);
    waiting.call = "clFinish";
    CHECK(has(grader::explain_end(waiting, {}), "clFinish"));
    CHECK(grader::usual_causes(waiting).empty());
}

TEST_CASE("a kernel that the device reports as failed is named, with the error") {
    RunnerEnd runner_end = in_kernel(death_by(RunnerEnd::How::kernel_error, -9999));
    runner_end.call = "clFinish";
    const std::string text = grader::explain_end(runner_end, {});
    CHECK(has(text, "kernel scan_blocks (launch 3 of this call) failed on this device"));
    CHECK(has(text, "clFinish returned an error of NVIDIA's driver (-9999)"));
    CHECK(has(grader::usual_causes(runner_end), "an index outside a buffer"));
}

TEST_CASE("commands that wait for a failed user event are no failure of a kernel") {
    RunnerEnd runner_end = in_kernel(death_by(RunnerEnd::How::kernel_error, -14));
    runner_end.call = "clWaitForEvents";
    runner_end.failed_event = true;
    const std::string text = grader::explain_end(runner_end, {});
    CHECK(has(text, "it has set the status of a user event to an error"));
    CHECK_FALSE(has(text, "kernel scan_blocks"));
    CHECK(grader::usual_causes(runner_end).empty());
}

TEST_CASE("a host that launches kernels endlessly is described as such") {
    RunnerEnd runner_end = in_kernel(death_by(RunnerEnd::How::hang));
    runner_end.launched = grader::most_launches;
    CHECK_FALSE(grader::launches_without_end(runner_end));
    runner_end.launched = grader::most_launches + 1;
    CHECK(grader::launches_without_end(runner_end));
    const std::string text = grader::explain_end(runner_end, {});
    CHECK(has(text, "your host code was still running after"));
    CHECK(has(text, "it had launched " + std::to_string(grader::most_launches + 1) + " kernels"));
    CHECK(grader::usual_causes(runner_end).empty());
    runner_end.how = RunnerEnd::How::signal;
    CHECK_FALSE(grader::launches_without_end(runner_end));
}

TEST_CASE("a crash is explained with its signal and its lines") {
    const std::string kernel =
        grader::explain_end(in_kernel(death_by(RunnerEnd::How::signal, SIGSEGV)), {});
    CHECK(has(kernel, "kernel scan_blocks"));
    CHECK(has(kernel, "launch 3"));
    CHECK(has(kernel, "segmentation fault"));
    CHECK(has(grader::usual_causes(in_kernel(death_by(RunnerEnd::How::signal, SIGSEGV))), "index"));

    const std::string host =
        grader::explain_end(death_by(RunnerEnd::How::signal, SIGFPE),
                            {{"labs/lab1/sum.cpp", 12}, {"labs/lab1/sum.cpp", 40}});
    CHECK(has(host, "your host code"));
    CHECK(has(host, "divided by zero"));
    CHECK(has(host, "\nat labs/lab1/sum.cpp:12"));
    CHECK(has(host, "\n   called from labs/lab1/sum.cpp:40"));
    CHECK(helpers::times(host, "\nat ") == 1);

    RunnerEnd deep = death_by(RunnerEnd::How::signal, SIGSEGV);
    deep.on_host = true;
    deep.frames.assign(wire::frame_slots, 0x1234);
    CHECK(has(grader::explain_end(deep, {}), "stack overflow: does a function call itself"));
    CHECK_FALSE(has(grader::explain_end(deep, {}), "groups"));
    CHECK(grader::usual_causes(deep).empty());
    deep.launched = grader::most_launches + 1;
    CHECK(has(grader::explain_end(deep, {}), "each pass or level must work on fewer elements"));
    CHECK(grader::launches_without_end(deep));

    RunnerEnd inside = death_by(RunnerEnd::How::signal, SIGSEGV);
    inside.call = "clEnqueueReadBuffer";
    CHECK(has(grader::explain_end(inside, {}), "inside clEnqueueReadBuffer"));

    for (RunnerEnd overwritten : {inside, in_kernel(inside)}) {
        overwritten.unwaited_read = true;
        const std::string text = grader::explain_end(overwritten, {});
        CHECK(has(text, "segmentation fault"));
        CHECK(has(
            text,
            "it did not wait for a read to end before it freed the memory that the read fills"));
        CHECK(has(text, "use CL_TRUE"));
    }
}

TEST_CASE("a crash while a buffer is mapped is explained as such, whatever ran") {
    for (RunnerEnd runner_end : {death_by(RunnerEnd::How::signal, SIGSEGV),
                                 in_kernel(death_by(RunnerEnd::How::signal, SIGSEGV))}) {
        runner_end.misuse = wire::MappingMisuse::used_after_unmap;
        CHECK(has(grader::explain_end(runner_end, {}), "your host code crashed"));
        CHECK(has(grader::explain_end(runner_end, {}), "after enqueueUnmapMemObject"));
        runner_end.misuse = wire::MappingMisuse::written_for_reading;
        CHECK(has(grader::explain_end(runner_end, {}), "is mapped for reading"));
    }
}

TEST_CASE("a host that waits for a user event hangs by its own fault") {
    RunnerEnd runner_end = in_kernel(death_by(RunnerEnd::How::hang));
    runner_end.unset_event = true;
    CHECK(grader::endless_part(runner_end).empty()); // a kernel that runs is to blame
    runner_end.asleep = true;
    CHECK(has(grader::endless_part(runner_end), "waits for a user event"));
    CHECK(has(grader::explain_end(runner_end, {}), "your host code was still running"));
    CHECK(has(grader::explain_end(runner_end, {}), "created a user event that it has not set"));
    runner_end.unset_event = false;
    CHECK(grader::endless_part(runner_end).empty());
    runner_end.failed_event = true;
    CHECK(has(grader::explain_end(runner_end, {}), "the status of a user event to an error"));
}

TEST_CASE("the end of a program of the harness is not blamed on the student") {
    for (const RunnerEnd::How how : {RunnerEnd::How::hang, RunnerEnd::How::signal,
                                     RunnerEnd::How::exit, RunnerEnd::How::broken_line})
        CHECK_FALSE(has(grader::describe_end(in_kernel(death_by(how, SIGSEGV))), "your"));
    CHECK(grader::describe_end(death_by(RunnerEnd::How::hang)) ==
          "was still running after 2.3 s and was stopped");
}

TEST_CASE("an exit is explained with its status") {
    for (const RunnerEnd& runner_end :
         {death_by(RunnerEnd::How::exit, 3), in_kernel(death_by(RunnerEnd::How::exit, 3))}) {
        const std::string text = grader::explain_end(runner_end, {});
        CHECK(has(text, "exited with status 3"));
        CHECK_FALSE(has(text, "crashed"));
    }
}

TEST_CASE("without frames there are no lines") {
    CHECK(grader::find_source_lines({}, "/nowhere/runner", "/nowhere", 9).empty());
    CHECK(grader::find_source_lines({0, 1, 0x401000}, "/nowhere/it's", "/nowhere", 9).empty());
}

TEST_CASE("the line where a host hangs is shown") {
    const RunnerEnd runner_end = death_by(RunnerEnd::How::hang);
    const std::string text = grader::explain_end(
        runner_end, {{"labs/lab3/reduction.cpp", 12}, {"labs/lab3/reduction.cpp", 40}});
    CHECK(has(text, "\nat labs/lab3/reduction.cpp:12\n   called from labs/lab3/reduction.cpp:40"));
}

TEST_CASE("a host that repeats something without an end is recognized") {
    grader::RunnerEnd runner_end;
    runner_end.how = grader::RunnerEnd::How::hang;
    runner_end.launched = grader::most_launches;
    CHECK(grader::endless_part(runner_end).empty());
    runner_end.launched = grader::most_launches + 1;
    CHECK(grader::endless_part(runner_end) == "it never stops launching kernels");

    runner_end = {};
    runner_end.how = grader::RunnerEnd::How::signal;
    runner_end.code = SIGSEGV;
    runner_end.frames.resize(wire::frame_slots);
    CHECK(grader::endless_part(runner_end).empty()); // a deep stack of the device's compiler
    runner_end.on_host = true;
    CHECK(grader::endless_part(runner_end) == "a function calls itself forever");
    runner_end.unwaited_read = true; // it can have overwritten the stack
    CHECK(grader::endless_part(runner_end).empty());

    runner_end.unwaited_read = false;
    runner_end.code = SIGABRT; // a failed assertion far down in a recursion that ends
    CHECK(grader::endless_part(runner_end).empty());
    CHECK_FALSE(has(grader::explain_end(runner_end, {}), "stack overflow"));
}
