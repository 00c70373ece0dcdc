# make help tells what can be typed. What is built lies in build/ and nowhere else.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --jobs=$(shell nproc)

BUILD := build
LABS := $(sort $(notdir $(wildcard labs/lab*[0-9])))

# Where the student's files lie, and where what is built from them goes.
ifeq ($(SOLUTIONS),1)
FROM ?= solutions
RUN ?= $(BUILD)/solutions
else
FROM ?= .
RUN ?= $(BUILD)/student
endif

CXX ?= g++
CPPFLAGS += -Isrc
CXXFLAGS ?= -O2 -g
OWN_CXXFLAGS := -std=c++17 -Wall -Wextra -pedantic $(CXXFLAGS)
# A runner lies where it was linked to lie, so that a crash's addresses lead to its lines.
RUNNER_CXXFLAGS := $(OWN_CXXFLAGS) -fno-pie
LAB_CPPFLAGS := -Isrc -Ilabs -D_GLIBCXX_ASSERTIONS
DEPFLAGS = -MMD -MP

# make V=1 shows the commands themselves.
ifeq ($(V),1)
QUIET :=
say = @:
else
QUIET := @
say = @echo "  $(1)"
endif

objects = $(patsubst src/%.cpp,$(BUILD)/src/%.o,$(wildcard $(addprefix src/,$(addsuffix /*.cpp,$(1)))))
SANDBOX_OBJECTS := $(filter-out %/confine.o %/confinement.o %/supervisor.o %/system_calls.o,$(call objects,sandbox))
GRADER_OBJECTS := $(filter-out %/main.o,$(call objects,grader report wire)) $(SANDBOX_OBJECTS)
RUNNER_OBJECTS := $(filter-out %/main.o %/device.o,$(call objects,runner))
WIRE_OBJECTS := $(call objects,wire)
SHARED_CASES := $(patsubst tests/%.cpp,$(BUILD)/tests/%.o,$(filter-out $(LABS:%=tests/labs/%.cpp),$(wildcard tests/labs/*.cpp)))

# What watches kernels on Oclgrind. Its packages are large, so a machine may go without: the cases
# that need it are skipped then. Oclgrind's library says which LLVM it goes with.
OCLGRIND := $(firstword $(wildcard $(addsuffix /liboclgrind.so,/usr/lib/$(shell $(CXX) -print-multiarch) /usr/lib /usr/local/lib)))
LLVM := $(if $(OCLGRIND),$(shell readelf -d $(OCLGRIND) | sed -n 's/.*\[libLLVM-\([0-9]*\).*/\1/p'))
LLVM_PREFIX := /usr/lib/llvm-$(LLVM)
LABGRIND := $(if $(and $(LLVM),$(wildcard $(LLVM_PREFIX)/include/llvm/IR/Instructions.h)),$(BUILD)/labgrind/labgrind)

.PHONY: help
help:
	@echo "make setup               install what is missing (Debian 12, Ubuntu 24.04); DEV=1: lint's tools too;"
	@echo "                         ANALYSIS=no: do without Oclgrind and LLVM, 270 MB, and the cases that need them"
	@echo "make lab1                build lab 1 from your files; then ./harness runs it"
	@echo "make lab1 SOLUTIONS=1    the same from solutions/"
	@echo "make labgrind            the kernels' analysis, also as a plugin for oclgrind --plugins"
	@echo "make grade SUBMISSION=dir OUT=dir        grade a student's repository"
	@echo "make grade-all SUBMISSIONS=dir OUT=dir   grade a class, a folder a student; make grade-help: options"
	@echo "make grade-slurm SUBMISSIONS=dir OUT=dir TASKS=8   the same as a job array of Slurm"
	@echo "make test                the project's own tests"
	@echo "make soak                all of tests/submissions, of which make test draws some; the right ones"
	@echo "                         SOAK_ROUNDS=4 times beside CPU hogs"
	@echo "make lint                formatting and static analysis"
	@echo "make sanitize            the harness under ASan and UBSan"
	@echo "make clean               remove build/"
	@echo "The labs: $(LABS)"

# --- labs -------------------------------------------------------------------------------------

.PHONY: $(LABS)
$(LABS): %: $(RUN)/%/runner $(BUILD)/grader/% $(LABGRIND)
	@echo "$* $(RUN) $(FROM)" > $(BUILD)/selected.$* && mv $(BUILD)/selected.$* $(BUILD)/selected
	@echo "$* is built; now: ./harness"

lab%:
	@echo "there is no $@; the labs are: $(LABS)" >&2; exit 2

define lab_rules
$$(BUILD)/grader/$(1): $$(BUILD)/tests/labs/$(1).o $$(BUILD)/src/grader/main.o $$(SHARED_CASES) $$(GRADER_OBJECTS)
	@mkdir -p $$(@D)
	$$(call say,link     $$@)
	$$(QUIET)$$(CXX) $$(LDFLAGS) $$^ -lpugixml -o $$@

$$(BUILD)/runner/$(1).o: src/runner/main.cpp
	@mkdir -p $$(@D)
	$$(call say,compile  $$<)
	$$(QUIET)$$(CXX) $$(LAB_CPPFLAGS) -Ilabs/$(1) -DLAB_HEADER='"$(1).hpp"' $$(DEPFLAGS) $$(RUNNER_CXXFLAGS) -c $$< -o $$@

$$(RUN)/$(1)/%.o: $$(FROM)/labs/$(1)/%.cpp
	@mkdir -p $$(@D)
	$$(call say,compile  $$<)
	$$(QUIET)$$(CXX) $$(LAB_CPPFLAGS) -Ilabs/$(1) $$(DEPFLAGS) $$(RUNNER_CXXFLAGS) -Werror=return-type -c $$< -o $$@

$$(RUN)/$(1)/runner: $$(patsubst $$(FROM)/labs/$(1)/%.cpp,$$(RUN)/$(1)/%.o,$$(wildcard $$(FROM)/labs/$(1)/*.cpp)) \
                     $$(BUILD)/runner/$(1).o $$(RUNNER_OBJECTS) $$(WIRE_OBJECTS)
	@mkdir -p $$(@D)
	$$(call say,link     $$@)
	$$(QUIET)$$(CXX) -no-pie $$(LDFLAGS) $$^ -lOpenCL -o $$@
endef
$(foreach lab,$(LABS),$(eval $(call lab_rules,$(lab))))

$(BUILD)/src/runner/%.o: OBJECT_CXXFLAGS := $(RUNNER_CXXFLAGS)
OBJECT_CXXFLAGS := $(OWN_CXXFLAGS)
$(BUILD)/src/%.o: src/%.cpp
	@mkdir -p $(@D)
	$(call say,compile  $<)
	$(QUIET)$(CXX) $(CPPFLAGS) $(DEPFLAGS) $(OBJECT_CXXFLAGS) -c $< -o $@

$(BUILD)/tests/%.o: tests/%.cpp
	@mkdir -p $(@D)
	$(call say,compile  $<)
	$(QUIET)$(CXX) $(CPPFLAGS) -Itests/labs $(DEPFLAGS) $(OWN_CXXFLAGS) -c $< -o $@

# What carries out kernels without a student's host code.
$(BUILD)/device/device: $(BUILD)/src/runner/device.o $(RUNNER_OBJECTS) $(WIRE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL -o $@

# What keeps other people's programs in while they are graded.
$(BUILD)/sandbox/confine: $(call objects,sandbox) $(WIRE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lseccomp -o $@

# --- grading -------------------------------------------------------------------------------------

GRADE := $(BUILD)/grade/grade
$(GRADE): $(call objects,grade report) $(SANDBOX_OBJECTS) $(WIRE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lpugixml -o $@

# What grading takes of our own, built beforehand.
GRADING := $(GRADE) $(BUILD)/sandbox/confine $(BUILD)/device/device $(LABGRIND) \
           $(LABS:%=$(BUILD)/grader/%) $(LABS:%=$(BUILD)/runner/%.o) $(RUNNER_OBJECTS) $(WIRE_OBJECTS)

# make grade SUBMISSION=dir OUT=dir; variables become the options of $(GRADE), which --help tells.
.PHONY: grade grade-all
grade grade-all: $(GRADING)
	@$(grade_command)

quoted = '$(subst ','\'',$(1))'
grade_option = $(if $($(2)),--$(1) $(call quoted,$($(2))))
grade_command = $(GRADE) --root . $(call grade_option,submission,SUBMISSION) \
    $(call grade_option,submissions,SUBMISSIONS) $(call grade_option,out,OUT) $(call grade_option,lab,LAB) \
    $(call grade_option,seed,SEED) $(call grade_option,device,DEVICE) \
    $(call grade_option,protection,PROTECTION) $(call grade_option,shard,SHARD) \
    $(call grade_option,jobs,JOBS) $(call grade_option,lab-seconds,LAB_SECONDS) $(if $(UNSAFE),--unsafe)

.PHONY: grade-help
grade-help: $(GRADE)
	@$(GRADE) --help

# A class on a cluster: TASKS jobs of an array, and one after them that grades what they have left
# undone and writes the gradebook. SBATCH_OPTIONS go to both.
TASKS ?= 4
sbatch = sbatch --parsable --output=$(call quoted,$(OUT)/slurm-%A-%a.log) $(SBATCH_OPTIONS) $(1) \
    --wrap $(call quoted,cd $(call quoted,$(CURDIR)) && exec $(grade_command) --jobs "$${SLURM_CPUS_PER_TASK:-1}" $(2))
.PHONY: grade-slurm
grade-slurm: $(GRADING)
	@mkdir -p $(call quoted,$(OUT))
	@array=$$($(call sbatch,--job-name=grade --array=1-$(TASKS),--shard "$$SLURM_ARRAY_TASK_ID/$(TASKS)")) && \
	merge=$$($(call sbatch,--job-name=gradebook --dependency=afterany:$$array)) && \
	echo "submitted: job $$array grades, job $$merge writes $(OUT)/gradebook.csv; squeue tells how far they are"

# --- labgrind ------------------------------------------------------------------------------------

# Oclgrind is built without run-time type information, and so must be what derives from its classes.
LABGRIND_CXXFLAGS := $(OWN_CXXFLAGS) -fno-rtti -fno-sanitize=vptr -fPIC -isystem $(LLVM_PREFIX)/include
LABGRIND_LDLIBS := -loclgrind -L$(LLVM_PREFIX)/lib -lLLVM-$(LLVM)
LABGRIND_OBJECTS := $(filter-out %/main.o %/plugin.o,$(call objects,labgrind))

$(BUILD)/src/labgrind/%.o: OBJECT_CXXFLAGS := $(LABGRIND_CXXFLAGS)

$(BUILD)/labgrind/labgrind: $(BUILD)/src/labgrind/main.o $(LABGRIND_OBJECTS) $(WIRE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ $(LABGRIND_LDLIBS) -o $@

# For any OpenCL program: oclgrind --plugins build/labgrind/labgrind.so PROGRAM
$(BUILD)/labgrind/labgrind.so: $(BUILD)/src/labgrind/plugin.o $(LABGRIND_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) -shared $(LDFLAGS) $^ $(LABGRIND_LDLIBS) -o $@

.PHONY: labgrind
labgrind: $(if $(LABGRIND),$(BUILD)/labgrind/labgrind $(BUILD)/labgrind/labgrind.so)
	@$(if $(LABGRIND),echo "built: $^",echo "Oclgrind and LLVM's headers are not installed; make setup installs them or says why it cannot" >&2; exit 2)

# --- the project's own tests ---------------------------------------------------------------------

TEST_PROGRAMS := $(BUILD)/tests/harness_tests $(BUILD)/tests/end_to_end_tests
test_objects = $(patsubst tests/%.cpp,$(BUILD)/tests/%.o,$(wildcard tests/$(1)/*.cpp))

# Programs that play a runner.
PLAYERS := $(patsubst tests/harness/programs/%.cpp,$(BUILD)/tests/programs/%,$(wildcard tests/harness/programs/*.cpp))

# What needs a lab's cases stays outside: case, and the listener that watches them.
NEED_A_LAB := case.o case_analysis.o case_timing.o verdicts.o
$(BUILD)/tests/harness_tests: $(call test_objects,harness) $(filter-out $(addprefix %/,$(NEED_A_LAB)),$(GRADER_OBJECTS))
$(BUILD)/tests/harness_tests: | $(PLAYERS) $(BUILD)/sandbox/confine $(BUILD)/device/device
$(BUILD)/tests/end_to_end_tests: $(call test_objects,end_to_end)
$(TEST_PROGRAMS):
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lpugixml -o $@

$(PLAYERS): $(BUILD)/tests/programs/%: $(BUILD)/tests/harness/programs/%.o $(WIRE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -o $@

# The analyses that know nothing of Oclgrind.
LABGRIND_ANALYSES := $(patsubst %,$(BUILD)/src/labgrind/%.o,findings locks order races waits work)
$(BUILD)/tests/harness_tests: $(LABGRIND_ANALYSES)

# And grading, but for its command line.
$(BUILD)/tests/harness_tests: $(filter-out %/main.o,$(call objects,grade))

$(BUILD)/tests/labgrind_tests: $(call test_objects,labgrind) $(LABGRIND_OBJECTS) $(WIRE_OBJECTS)
	$(call say,link     $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ $(LABGRIND_LDLIBS) -o $@

# All test cases of a program but those of a name, each in a process of its own.
side_by_side = cases=$$($(1) --list-test-cases --test-case-exclude="$(2)" | sed '/^\[doctest\]/d; /^===/d') && \
    [ -n "$$cases" ] && echo "$$cases" | xargs -d '\n' -P "$$(nproc)" -I{} $(1) --test-case={}

.PHONY: test
test: $(TEST_PROGRAMS) $(GRADING) labgrind $(if $(LABGRIND),$(BUILD)/tests/labgrind_tests)
	$(BUILD)/tests/harness_tests
	$(call side_by_side,$(BUILD)/tests/labgrind_tests)
	$(BUILD)/tests/end_to_end_tests --duration=true

# The whole of tests/submissions, of which make test draws some; the right ones again and again beside
# CPU hogs: no load may cost a point.
SOAK_ROUNDS ?= 4
.PHONY: soak
soak: $(BUILD)/tests/end_to_end_tests $(GRADING)
	SOAK_ROUNDS=$(SOAK_ROUNDS) $(BUILD)/tests/end_to_end_tests -tc="right submissions*,wrong submissions*,hostile*"

# The tests of harness and labgrind and a whole run of the grader under AddressSanitizer and UBSan.
# What leaks in labgrind_tests is Oclgrind's and LLVM's. A program under ASan needs more address space
# than a sandbox allows, so those tests are left out.
SANITIZED := $(BUILD)/sanitized
.PHONY: sanitize
sanitize:
	+$(MAKE) SOLUTIONS=1 $(BUILD)/solutions/lab4/runner $(LABGRIND)
	+$(MAKE) BUILD=$(SANITIZED) CXXFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
	    LDFLAGS="-fsanitize=address,undefined" $(SANITIZED)/tests/harness_tests $(SANITIZED)/grader/lab4 \
	    $(if $(LABGRIND),$(SANITIZED)/tests/labgrind_tests)
	$(SANITIZED)/tests/harness_tests --source-file-exclude="*harness/sandbox.cpp"
	$(if $(LABGRIND),export ASAN_OPTIONS=detect_leaks=0; $(call side_by_side,$(SANITIZED)/tests/labgrind_tests,a report is the same every time))
	$(SANITIZED)/grader/lab4 --root $(CURDIR) --files solutions --runner $(BUILD)/solutions/lab4/runner

# --- lint ---------------------------------------------------------------------------------------

FORMATTED = $(shell find src labs solutions tests -name '*.cpp' -o -name '*.hpp' 2> /dev/null)
# One stamp a file: what has passed is looked at again only when it or a header changed.
TIDIED = $(patsubst %.cpp,$(BUILD)/lint/%.ok,$(shell find src labs solutions tests -name '*.cpp' 2> /dev/null))
HEADERS = $(shell find src labs tests -name '*.hpp' 2> /dev/null)
lab_of = $(or $(filter $(LABS),$(subst /, ,$(1))),lab1)

.PHONY: lint
lint: $(TIDIED)
	@clang-format --dry-run --Werror $(FORMATTED)
	shellcheck harness .ci/run .github/fetch-submissions tests/submissions/hostile/*.sh

$(TIDIED): $(BUILD)/lint/%.ok: %.cpp $(HEADERS) $(wildcard .clang-tidy tests/.clang-tidy tests/harness/.clang-tidy)
	@mkdir -p $(@D)
	$(call say,tidy     $<)
	$(QUIET)clang-tidy --quiet $< -- -std=c++17 $(LAB_CPPFLAGS) -Ilabs/$(call lab_of,$<) -Itests/labs \
	    -DLAB_HEADER='"$(call lab_of,$<).hpp"' -isystem $(LLVM_PREFIX)/include -Wall -Wextra 2> $(BUILD)/lint/$*.log || { cat $(BUILD)/lint/$*.log; exit 1; }
	@touch $@

# --- setting up ---------------------------------------------------------------------------------

PACKAGES := g++ make binutils doctest-dev nlohmann-json3-dev libcli11-dev libpugixml-dev \
            opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd patch libseccomp-dev bubblewrap
# What watches kernels, 270 MB of it. Oclgrind's library tells the LLVM that it goes with.
ANALYSIS_PACKAGES := oclgrind liboclgrind-dev
DEV_PACKAGES := clang-format clang-tidy shellcheck
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

.PHONY: setup
setup:
	@command -v apt-get > /dev/null || { echo "make setup knows Debian and Ubuntu only; install by hand: $(PACKAGES)" >&2; exit 2; }
	@installed() { dpkg-query -W -f '$${db:Status-Status}' "$$1" 2> /dev/null | grep -q '^installed'; }; \
	update() { [ -n "$$updated" ] || { $(SUDO) apt-get update -q && updated=yes || exit; }; }; \
	install() { \
	    missing=; for package; do installed $$package || missing="$$missing $$package"; done; \
	    [ -n "$$missing" ] || return 0; \
	    [ "$$(id -u)" = 0 ] || [ -n "$(SUDO)" ] || { echo "make setup needs root or sudo to install:$$missing" >&2; exit 2; }; \
	    update; echo "installing:$$missing"; \
	    $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing || exit; \
	    some=yes; \
	}; \
	install $(PACKAGES) $(if $(DEV),$(DEV_PACKAGES)); \
	if [ "$(ANALYSIS)" != no ]; then \
	    installed oclgrind || apt-cache show oclgrind > /dev/null 2>&1 || update; \
	    if installed oclgrind || apt-cache show oclgrind > /dev/null 2>&1; then \
	        install $(ANALYSIS_PACKAGES); \
	        install llvm-$$(dpkg-query -W -f '$${Depends}' 'liboclgrind-[0-9]*' | sed -n 's/.*libllvm\([0-9]*\).*/\1/p')-dev; \
	    else \
	        echo "this system has no package of Oclgrind (Debian 12 and Ubuntu 24.04 have one): kernels cannot be analysed here, and the cases that need it are skipped" >&2; \
	    fi; \
	fi; \
	[ -n "$$some" ] || echo "nothing is missing"

.PHONY: clean
clean:
	rm -rf $(BUILD)

# Only what this file has compiled: other folders in build/ may hold other people's files.
-include $(shell find $(BUILD)/src $(BUILD)/runner $(RUN) $(addprefix $(BUILD)/tests/,labs harness end_to_end labgrind) -name '*.d' 2> /dev/null)
