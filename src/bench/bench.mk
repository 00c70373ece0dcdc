# make bench and make bench-peers: how fast the solutions are, alone and beside the best libraries.

help::
	@echo "make bench               measures the solutions: CSV and plots in build/bench; make bench-help"
	@echo "make bench-peers         the solutions of labs 7 and 8 beside libraries; make bench-peers-help"

BENCH := $(BUILD)/bench/bin
BENCH_CXXFLAGS := -std=c++17 -Wall -Wextra -pedantic -O2
bench_option = $(if $($(2)),--$(1) $(call quoted,$($(2))))

$(BUILD)/bench/objects/cpu.o: BENCH_CXXFLAGS := -std=c++17 -Wall -Wextra -pedantic -O3
$(BUILD)/bench/objects/%.o: src/bench/%.cpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(CXX) $(CPPFLAGS) -Ilabs $(LABS:%=-Ilabs/%) $(DEPFLAGS) $(BENCH_CXXFLAGS) -c $< -o $@

# The labs, with what watches their commands.
BENCH_LABS := $(BUILD)/bench/objects/labs.o $(BUILD)/bench/objects/watch.o $(BUILD)/src/runner/devices.o
$(BENCH)/bench: $(addprefix $(BUILD)/bench/objects/,main.o cpu.o plots.o table.o variants.o) $(BENCH_LABS)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL -o $@

.PHONY: bench bench-help
bench: $(BENCH)/bench
	@$< --root . $(call bench_option,out,OUT) $(call bench_option,max-n,MAX_N) $(call bench_option,device,DEVICE) \
	    $(call bench_option,work-groups,WORK_GROUPS) $(call bench_option,only,ONLY) \
	    $(call bench_option,repetitions,REPETITIONS) $(call bench_option,time-limit,TIME_LIMIT) \
	    $(if $(filter no,$(PLOTS)),--no-plots)
bench-help: $(BENCH)/bench
	@$< --help

-include $(wildcard $(BUILD)/bench/objects/*.d)
