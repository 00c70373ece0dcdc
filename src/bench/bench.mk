# make bench and make bench-peers: the speed of the solutions, alone and beside the best libraries.

help::
	@echo "make bench               measure the solutions: CSV and plots in build/bench; make bench-help"
	@echo "make bench-peers         compare labs 7 and 8 with libraries; make bench-peers-help"

BENCH := $(BUILD)/bench/bin
BENCH_CXXFLAGS := -std=c++20 -Wall -Wextra -pedantic -O2
bench_option = $(if $($(2)),--$(1) $(call quoted,$($(2))))

$(BUILD)/bench/objects/cpu.o: BENCH_CXXFLAGS := -std=c++20 -Wall -Wextra -pedantic -O3
$(BUILD)/bench/objects/%.o: src/bench/%.cpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(CXX) $(CPPFLAGS) -Ilabs $(LABS:%=-Ilabs/%) $(DEPFLAGS) $(BENCH_CXXFLAGS) -c $< -o $@

# The labs, and the code that watches their commands.
BENCH_LABS := $(BUILD)/bench/objects/labs.o $(BUILD)/bench/objects/watch.o $(BUILD)/src/runner/devices.o
$(BENCH)/bench: $(addprefix $(BUILD)/bench/objects/,main.o cpu.o plots.o table.o variants.o) $(BENCH_LABS)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL -o $@

.PHONY: bench bench-help
bench: $(BENCH)/bench
	@$< --root . $(call bench_option,out,OUT) $(call bench_option,min-n,MIN_N) $(call bench_option,max-n,MAX_N) \
	    $(call bench_option,device,DEVICE) \
	    $(call bench_option,work-groups,WORK_GROUPS) $(call bench_option,only,ONLY) \
	    $(call bench_option,repetitions,REPETITIONS) $(call bench_option,time-limit,TIME_LIMIT) \
	    $(if $(filter no,$(PLOTS)),--no-plots)
bench-help: $(BENCH)/bench
	@$< --help

-include $(wildcard $(BUILD)/bench/objects/*.d)

# --- peers ---------------------------------------------------------------------------------------

# The code for std's execution policies is compiled for this machine, as POCL compiles kernels for it.
PEER_CXXFLAGS ?= -O3 -march=native -fopenmp-simd
NVCC ?= $(or $(shell command -v nvcc 2> /dev/null),$(wildcard /usr/local/cuda/bin/nvcc))
# All current GPUs; NVCC_ARCH=native or sm_90 takes a fraction of the time.
NVCC_ARCH ?= all-major

$(BENCH)/peers: $(BUILD)/bench/objects/peers.o $(BUILD)/bench/objects/table.o $(BENCH_LABS) $(call rooms,wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL -o $@

# Libraries that are copied beside the programs are found there.
PEER_LDFLAGS := -Wl,-rpath,'$$ORIGIN'
$(BENCH)/peer_%: $(BUILD)/bench/objects/peer_%.o $(BENCH_LABS)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL $(PEER_LIBRARIES) $(PEER_LDFLAGS) -o $@
.SECONDARY: $(patsubst %,$(BUILD)/bench/objects/peer_%.o,labs boost clblast viennacl)
$(BENCH)/peer_clblast: PEER_LIBRARIES := -lclblast

# Our warnings are not meant for the libraries' headers.
$(BUILD)/bench/objects/peer_boost.o $(BUILD)/bench/objects/peer_viennacl.o: BENCH_CXXFLAGS := -std=c++20 -O2 -w

# A library that does not compile here is left out; its compiler's message is above.
leave_out = || { rm -f $@; echo "left out: $@ does not compile" >&2; }
$(BENCH)/peer_std: src/bench/peer_std.cpp src/bench/peer.hpp src/bench/problem.hpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(CXX) $(CPPFLAGS) -std=c++20 -Wall -Wextra $(PEER_CXXFLAGS) $< -ltbb $(PEER_LDFLAGS) -o $@ $(leave_out)

$(BENCH)/peer_cub: src/bench/peer_cub.cu src/bench/peer.hpp src/bench/problem.hpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(NVCC) -std=c++20 -O3 -arch=$(NVCC_ARCH) $(CPPFLAGS) $< -o $@ $(leave_out)

# The peers whose library is installed. Looked up only when they are needed.
has_header = $(shell $(CXX) -E -x c++ -include $(1) /dev/null > /dev/null 2>&1 && echo yes)
PEERS = labs $(if $(NVCC),cub) $(if $(call has_header,tbb/version.h),std) \
    $(if $(call has_header,boost/compute/version.hpp),boost) $(if $(call has_header,clblast.h),clblast) \
    $(if $(call has_header,viennacl/version.hpp),viennacl)
ifneq ($(filter bench-peers bench-programs,$(MAKECMDGOALS)),)
PEER_PROGRAMS := $(PEERS:%=$(BENCH)/peer_%)
endif

.PHONY: bench-peers bench-peers-help bench-programs
bench-peers: $(BENCH)/peers $(PEER_PROGRAMS)
	@$< --root . $(call bench_option,out,OUT) $(call bench_option,n,N) $(call bench_option,device,DEVICE) \
	    $(call bench_option,rounds,ROUNDS)
bench-peers-help: $(BENCH)/peers
	@$< --help

# All programs, to copy them to another machine.
bench-programs: $(BENCH)/bench $(BENCH)/peers $(PEER_PROGRAMS)

# The programs that make test runs: the others need libraries that may be missing.
BENCHED := $(BENCH)/bench $(BENCH)/peers $(BENCH)/peer_labs
