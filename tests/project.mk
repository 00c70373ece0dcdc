# For instructors and developers of the course: classes, releases, the project's own tests.

.PHONY: help
help::
	@echo
	@echo "make lab1 SOLUTIONS=1    build lab 1 from solutions/"
	@echo "make starters            make labs/ and kernels/ from the marks in solutions/"
	@echo "make release OUT=dir     write the students' template"
	@echo "make gradescope OUT=zip  write the autograder for Gradescope; LAB=\"lab1 lab2\" selects labs"
	@echo "make classroom50 OUT=dir  write the autograder for Classroom 50, likewise"
	@echo "make solutions OUT=dir   write the solutions without marks, to hand them out"
	@echo "make grade-all SUBMISSIONS=dir OUT=dir   grade a class: one folder per student"
	@echo "make grade-slurm SUBMISSIONS=dir OUT=dir TASKS=8   the same as a Slurm job array"
	@echo "make test                run the project's own tests; needs: make setup TESTS=1"
	@echo "make soak                run all of tests/submissions and tests/labgrind, of which make test runs a"
	@echo "                         share; SOAK_ROUNDS=4: runs of the right submissions beside CPU hogs"
	@echo "make try NAME=lab1-2d    run some of these submissions, attacks or kernels, and show the outcome;"
	@echo "                         DEVICE=1, also with make soak: run submissions on another device"
	@echo "make verdicts            write the verdicts and pictures in handouts and docs/ again"
	@echo "make pages               open the result pages in Chromium, as on a phone and on a desktop"
	@echo "make lint                check formatting, run clang-tidy; SHARE=5: on a fifth of the files"
	@echo "make sanitize            test the harness under ASan and UBSan"

# --- classes -------------------------------------------------------------------------------------

.PHONY: grade-all
grade-all: $(GRADING)
	@$(grade_command)

# A class on a cluster: an array of TASKS jobs, and a job after them that grades what they did not
# finish and writes the gradebook. SBATCH_OPTIONS go to both.
TASKS ?= 4
sbatch = sbatch --parsable --output=$(call quoted,$(OUT)/slurm-%A-%a.log) $(SBATCH_OPTIONS) $(1) \
    --wrap $(call quoted,cd $(call quoted,$(CURDIR)) && exec $(grade_command) --jobs "$${SLURM_CPUS_PER_TASK:-1}" $(2))
.PHONY: grade-slurm
grade-slurm: $(GRADING)
	@mkdir -p $(call quoted,$(OUT))
	@array=$$($(call sbatch,--job-name=grade --array=1-$(TASKS),--shard "$$SLURM_ARRAY_TASK_ID/$(TASKS)")) && \
	merge=$$($(call sbatch,--job-name=gradebook --dependency=afterany:$$array)) && \
	echo "submitted: job $$array grades, job $$merge writes $(OUT)/gradebook.csv; squeue shows their progress"

# --- releases ------------------------------------------------------------------------------------

RELEASE := $(BUILD)/release/release
$(eval $(call room,release,$(filter-out release/main,$(call sources,release))))
$(RELEASE): $(BUILD)/src/release/main.o $(call rooms,release)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -o $@

named_out = [ -n $(call quoted,$(OUT)) ] || { echo "OUT is missing: make $@ OUT=$(1)" >&2; exit 2; }
.PHONY: starters release solutions
starters: $(RELEASE)
	@$(RELEASE) starters
release solutions: $(RELEASE)
	@$(call named_out,dir)
	@$(RELEASE) $@ $(call quoted,$(OUT))

# The autograder for Gradescope: make gradescope OUT=autograder.zip, with LAB="lab1 lab2" for some labs.
.PHONY: gradescope
gradescope: $(RELEASE)
	@$(call named_out,autograder.zip)
	@[ ! -e $(call quoted,$(OUT)) ] || { echo $(call quoted,$(OUT))" already exists; remove it or name another file: OUT=zip" >&2; exit 2; }
	@command -v zip > /dev/null || { echo "zip is not installed; apt-get install zip" >&2; exit 2; }
	@rm -rf $(BUILD)/gradescope && $(RELEASE) autograder gradescope $(BUILD)/gradescope --labs $(call quoted,$(LAB)) > /dev/null
	@out=$$(realpath -m $(call quoted,$(OUT))) && cd $(BUILD)/gradescope && zip -q -r "$$out" . && echo "written: $$out"

# The autograder for Classroom 50: the files of its folder CLASSROOM/autograders/ASSIGNMENT.
.PHONY: classroom50
classroom50: $(RELEASE)
	@$(call named_out,dir)
	@$(RELEASE) autograder classroom50 $(call quoted,$(OUT)) --labs $(call quoted,$(LAB))

# --- benchmarks ----------------------------------------------------------------------------------

include src/bench/bench.mk

# --- the project's own tests ---------------------------------------------------------------------

TEST_PROGRAMS := $(BUILD)/tests/harness_tests $(BUILD)/tests/end_to_end_tests $(BUILD)/tests/submission_tests
test_objects = $(patsubst tests/%.cpp,$(BUILD)/tests/%.o,$(wildcard tests/$(1)/*.cpp))

# Tests wait more than they compute, and compiling them takes most of their time.
TEST_OBJECTS := $(addprefix $(BUILD)/tests/,harness/%.o end_to_end/%.o submissions/%.o labgrind/%.o)
$(TEST_OBJECTS): OBJECT_CXX = $(COLD_CXX)
$(TEST_OBJECTS): OBJECT_CXXFLAGS := $(OWN_CXXFLAGS) -O0

# Programs that play a runner.
PLAYERS := $(patsubst tests/harness/programs/%.cpp,$(BUILD)/tests/programs/%,$(wildcard tests/harness/programs/*.cpp))

# All rooms but those that need a device.
$(BUILD)/tests/harness_tests: $(call rooms,computing labgrind wire formats grade grader release report sandbox) \
    $(call test_objects,harness)
$(BUILD)/tests/harness_tests: | $(PLAYERS) $(BUILD)/sandbox/confine $(BUILD)/device/device
$(BUILD)/tests/end_to_end_tests: $(call test_objects,end_to_end)
$(BUILD)/tests/submission_tests: $(call test_objects,submissions) $(BUILD)/tests/end_to_end/main.o $(BUILD)/tests/end_to_end/tree.o $(call rooms,wire)
$(TEST_PROGRAMS):
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lpugixml -o $@

$(PLAYERS): $(BUILD)/tests/programs/%: $(BUILD)/tests/harness/programs/%.o $(call rooms,wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -o $@

$(BUILD)/tests/labgrind_tests: $(call rooms,labgrind wire) $(call test_objects,labgrind)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lOpenCL -o $@

# All test cases of a program except those with the name $(2), each in its own process. A comma would end
# a name, so it is replaced by a wildcard.
side_by_side = cases=$$($(1) --list-test-cases --test-case-exclude="$(2)" | sed '/^\[doctest\]/d; /^===/d; s/,/?/g') && \
    [ -n "$$cases" ] && echo "$$cases" | xargs -d '\n' -P "$$(nproc)" -I{} $(1) --test-case={}

# Programs that read results as services do. Missing ones are reported before anything is built.
TEST_TOOLS := cmark-gfm git jq jsonschema tidy xmllint
ifneq ($(filter test,$(MAKECMDGOALS)),)
MISSING_TOOLS := $(strip $(foreach tool,$(TEST_TOOLS),$(if $(shell command -v $(tool)),,$(tool))))
$(if $(MISSING_TOOLS),$(error make test needs $(MISSING_TOOLS); run: make setup TESTS=1))
endif

# Most tests wait more than they work, so they run side by side.
TESTED := $(TEST_PROGRAMS) $(GRADING) $(RELEASE) $(BUILD)/tests/labgrind_tests $(BENCHED)
TEST_RUNS := $(addprefix test-,submission end_to_end harness labgrind)
.PHONY: test $(TEST_RUNS)
test: $(TEST_RUNS)
$(TEST_RUNS): test-%: $(TESTED)
	$(BUILD)/tests/$*_tests

# All of the corpora; make test runs only the commit's share. The right submissions run several times
# beside CPU hogs, because no load may cost a point.
SOAK_ROUNDS ?= 4
.PHONY: soak
soak: $(BUILD)/tests/submission_tests $(GRADING) $(BUILD)/tests/labgrind_tests
	CORPUS=all $(BUILD)/tests/labgrind_tests
	CORPUS=all SOAK_ROUNDS=$(SOAK_ROUNDS) $(BUILD)/tests/submission_tests

# The result pages in a browser: nothing wider than a phone, headings in order, no errors.
.PHONY: pages
pages: $(BUILD)/tests/harness_tests
	@rm -rf $(BUILD)/pages && mkdir -p $(BUILD)/pages
	@PAGES=$(BUILD)/pages $(BUILD)/tests/harness_tests --no-skip -tc="pages for a browser" > /dev/null
	tests/pages/check $(BUILD)/pages

# Some members of the corpora, by their names: make try NAME="lab1-2d lock_*"
TRIED_KERNELS = $(wildcard $(NAME:%=tests/labgrind/*/%.cl))
TRIED_SUBMISSIONS = $(wildcard $(NAME:%=tests/submissions/*/%.patch) $(NAME:%=tests/submissions/*/%.sh))
ifneq ($(filter try,$(MAKECMDGOALS)),)
UNKNOWN := $(foreach name,$(NAME),$(if $(wildcard $(foreach file,labgrind/*/$(name).cl submissions/*/$(name).patch submissions/*/$(name).sh,tests/$(file))),,$(name)))
$(if $(NAME),,$(error NAME is missing: make try NAME=lab1-2d))
$(if $(strip $(UNKNOWN)),$(error tests/submissions and tests/labgrind have no $(strip $(UNKNOWN))))
endif
TRIED = $(basename $(notdir $(TRIED_KERNELS) $(TRIED_SUBMISSIONS)))
kernel_cases := kernels*,every mistake*,what depends*
submission_cases := right submissions pass,wrong submissions*,hostile*
.PHONY: try
try: $(if $(TRIED_SUBMISSIONS),$(BUILD)/tests/submission_tests $(GRADING)) $(if $(TRIED_KERNELS),$(BUILD)/tests/labgrind_tests)
	$(if $(TRIED_KERNELS),@CORPUS="$(TRIED)" $(BUILD)/tests/labgrind_tests -tc="$(kernel_cases)")
	$(if $(TRIED_SUBMISSIONS),@CORPUS="$(TRIED)" $(BUILD)/tests/submission_tests -tc="$(submission_cases)")

# Writes the verdicts and pictures in handouts and docs/ again.
.PHONY: verdicts
verdicts: $(BUILD)/tests/submission_tests $(GRADING)
	WRITE_VERDICTS=1 $(BUILD)/tests/submission_tests -tc="verdicts in*,pictures in*"

# The tests of harness and labgrind and a complete run of the grader under AddressSanitizer and UBSan.
# A program under ASan needs more address space than a sandbox allows, so those tests are left out. Kernels
# take several times as long there, and make test checks what labgrind says about them.
# The harness is instrumented, its tests are not: that halves the time. Of a template that both use, the
# linker takes the harness's copy because the rooms come first.
SANITIZED := $(BUILD)/sanitized
# Only labgrind computes enough to justify the time of an optimizing compiler.
$(BUILD)/src/labgrind/%.o: OBJECT_CXXFLAGS += $(LABGRIND_CXXFLAGS)
SANITIZED_RUNS := $(addprefix sanitize-,harness labgrind grader)
.PHONY: sanitize sanitized $(SANITIZED_RUNS)
sanitize: $(SANITIZED_RUNS)
$(SANITIZED_RUNS): sanitized
sanitized:
	+$(MAKE) SOLUTIONS=1 $(BUILD)/solutions/lab4/runner $(LABGRIND)
	+$(MAKE) BUILD=$(SANITIZED) CXXFLAGS="-O0 -g1 -fno-omit-frame-pointer" COLD_CXX=$(CXX) COLD_CXXFLAGS= LIGHT_CXXFLAGS= \
	    INSTRUMENTATION="-fsanitize=address,undefined -fno-sanitize-recover=undefined" LABGRIND_CXXFLAGS=-O1 \
	    LDFLAGS="-fsanitize=address,undefined" $(SANITIZED)/tests/harness_tests $(SANITIZED)/grader/lab4 \
	    $(SANITIZED)/tests/labgrind_tests
sanitize-harness:
	$(SANITIZED)/tests/harness_tests --source-file-exclude="*harness/sandbox.cpp,*harness/grade_scratch.cpp" \
	    --test-case-exclude="a lab without its files*"
sanitize-labgrind:
	export CORPUS=third && $(call side_by_side,$(SANITIZED)/tests/labgrind_tests,a report is the same every time)
sanitize-grader:
	$(SANITIZED)/grader/lab4 --root $(CURDIR) --files solutions --runner $(BUILD)/solutions/lab4/runner

# --- lint ---------------------------------------------------------------------------------------

.PHONY: lint

# Only for make lint: finding the files takes a second.
ifneq ($(filter lint,$(MAKECMDGOALS)),)
# Peers whose library is not installed cannot be checked.
UNKNOWN_PEERS = $(patsubst %,src/bench/peer_%.cpp,$(filter-out $(PEERS),std boost clblast viennacl))
FORMATTED = $(shell find src labs solutions tests -name '*.cpp' -o -name '*.hpp' 2> /dev/null)
# make lint SHARE=5 runs clang-tidy on a fifth of the files, chosen by the commit.
SHARE ?= 1
share_of = { commit=$$(git rev-parse HEAD); while read file; do \
    [ $$(($$(echo "$$commit $$file" | cksum | cut -d ' ' -f 1) % $(1))) != 0 ] || echo $$file; done; }
# One stamp per file: a file that has passed is checked again only when it or a header changes.
TIDIED = $(patsubst %.cpp,$(BUILD)/lint/%.ok,$(filter-out $(UNKNOWN_PEERS),$(shell find src labs solutions tests -name '*.cpp' 2> /dev/null | $(call share_of,$(SHARE)))))
HEADERS = $(shell find src labs tests -name '*.hpp' 2> /dev/null)
lab_of = $(or $(filter $(LABS),$(subst /, ,$(1))),lab1)
# A starter does not use its parameters yet.
starter_checks = $(if $(filter labs/%,$(1)),--checks=-misc-unused-parameters)
starter_warnings = $(if $(filter labs/%,$(1)),-Wno-unused-parameter)

lint: $(TIDIED)
	@clang-format --dry-run --Werror $(FORMATTED)
	shellcheck harness src/loop/* .ci/run .github/fetch-submissions .github/classroom/gradescope/* tests/pages/check tests/submissions/hostile/*.sh

$(TIDIED): $(BUILD)/lint/%.ok: %.cpp $(HEADERS) $(wildcard .clang-tidy src/labgrind/.clang-tidy tests/.clang-tidy tests/harness/.clang-tidy)
	@mkdir -p $(@D)
	$(call say,tidy $<)
	$(QUIET)clang-tidy --quiet $(call starter_checks,$<) $< -- -std=$(if $(filter labs/% solutions/%,$<),c++17,c++20) $(LAB_CPPFLAGS) -Ilabs/$(call lab_of,$<) $(if $(filter src/bench/%,$<),$(LABS:%=-Ilabs/%)) -Itests/labs \
	    -DLAB_HEADER='"$(call lab_of,$<).hpp"' -Wall -Wextra $(call starter_warnings,$<) 2> $(BUILD)/lint/$*.log || { cat $(BUILD)/lint/$*.log; exit 1; }
	@touch $@
endif
