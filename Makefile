# make help lists the commands. Everything that is built goes into build/.

.DEFAULT_GOAL := help
SILENT := $(findstring s,$(firstword -$(MAKEFLAGS)))
MAKEFLAGS += --no-builtin-rules --jobs=$(shell nproc)

BUILD := build
LABS := $(sort $(notdir $(wildcard labs/lab*[0-9])))

# The folder of the student's files, and the folder for what is built from them.
ifeq ($(SOLUTIONS),1)
FROM ?= solutions
RUN ?= $(BUILD)/solutions
else
FROM ?= .
RUN ?= $(BUILD)/student
endif

CXX ?= g++
CPPFLAGS += -Isrc
# -O1 compiles in half the time of -O2 -g, and the harness is just as fast.
CXXFLAGS ?= -O1
WARNINGS := -Wall -Wextra -pedantic
OWN_CXXFLAGS := -std=c++20 $(WARNINGS) $(CXXFLAGS)
# Without PIE, the addresses of a crash can be mapped to source lines. Only students' files need -g for that.
RUNNER_CXXFLAGS := $(OWN_CXXFLAGS) -fno-pie
STUDENT_WARNINGS := $(WARNINGS) -Wshadow -Wno-unused-parameter
# An uninitialized variable always holds the same bytes, so that no wrong work passes by luck.
STUDENT_CXXFLAGS := -std=c++17 $(STUDENT_WARNINGS) $(CXXFLAGS) -fno-pie -g -Werror=return-type \
	-ftrivial-auto-var-init=pattern
# Memory that is allocated and never written holds known bytes, too: see src/runner/main.cpp.
ALLOCATIONS := malloc _Znwm _Znam
LAB_CPPFLAGS := -Isrc -Ilabs -D_GLIBCXX_ASSERTIONS
DEPFLAGS = -MMD -MP

# Each step shows its number and the number of steps, which a dry run counts before the first one.
# make V=1 shows the commands instead, make -s shows nothing.
QUIET := $(if $(filter 1,$(V)),,@)
ifdef COUNT_STEPS
say = : a step of the build
else ifneq ($(filter 1,$(V))$(SILENT),)
say = @:
else
steps = $(eval steps := $(shell $(MAKE) --dry-run --no-print-directory COUNT_STEPS=1 $(MAKEOVERRIDES) $(MAKECMDGOALS) 2> /dev/null | grep -c '^: a step'))$(steps)
say = @$(eval STEP += x)echo "  [$(words $(STEP))/$(steps)] $(1)"
endif

# The rooms of src/, without the main files of programs. Each room is compiled as one file, because parsing
# the headers takes longer than compiling the code: $(call room,name,files).
sources = $(patsubst src/%.cpp,%,$(wildcard $(foreach room,$(1),src/$(room)/*.cpp src/$(room)/*/*.cpp)))
define room
$(BUILD)/src/$(1)/room.o: $(2:%=src/%.cpp)
	@mkdir -p $$(@D)
	$$(call say,compile src/$(1))
	$$(QUIET)printf '#include "%s.cpp"\n' $(2) | $$(OBJECT_CXX) $$(CPPFLAGS) $$(DEPFLAGS) $$(OBJECT_CXXFLAGS) -c -x c++ - -o $$@
endef
OBJECT_CXX = $(CXX)
OBJECT_CXXFLAGS := $(OWN_CXXFLAGS) $(INSTRUMENTATION)
# The files that only grading needs, and those that run inside a sandbox.
FORMATS := report/annotations report/class_page report/gradebook report/markdown report/read_json report/services
CONFINE := sandbox/confine sandbox/confinement sandbox/supervisor sandbox/system_calls
# The files of the grader that compute much.
COMPUTING := grader/inputs grader/seal
$(eval $(call room,formats,$(FORMATS)))
$(eval $(call room,confine,$(CONFINE)))
$(eval $(call room,grader,$(filter-out grader/main $(COMPUTING),$(call sources,grader))))
$(eval $(call room,computing,$(COMPUTING)))
$(eval $(call room,report,$(filter-out $(FORMATS),$(call sources,report))))
$(eval $(call room,sandbox,$(filter-out $(CONFINE),$(call sources,sandbox))))
$(eval $(call room,runner,$(filter-out runner/main runner/device,$(call sources,runner))))
$(eval $(call room,wire,$(call sources,wire)))
$(eval $(call room,grade,$(filter-out grade/main,$(call sources,grade))))
# These rooms compute little. The clang that POCL's package installs compiles them without optimization in half
# the time of g++ -Og. What they share with other objects, the linker takes from those, which come first.
COLD := $(addprefix $(BUILD)/src/,confine/%.o formats/%.o grade/%.o grader/%.o report/%.o sandbox/%.o)
COLD_CXX = $(eval COLD_CXX := $(or $(shell $(usable_clang)),$(CXX)))$(COLD_CXX)
COLD_CXXFLAGS ?= -O0
usable_clang = for clang in /usr/lib/llvm-*/bin/clang++; do \
    $$clang -fsyntax-only -include version -x c++ /dev/null && echo $$clang && break; done 2> /dev/null
$(COLD): OBJECT_CXX = $(COLD_CXX)
$(COLD): OBJECT_CXXFLAGS += $(COLD_CXXFLAGS)
# -Og compiles these in three quarters of the time of -O1.
LIGHT_CXXFLAGS ?= -Og
$(BUILD)/src/wire/%.o $(BUILD)/tests/labs/%.o: OBJECT_CXXFLAGS += $(LIGHT_CXXFLAGS)
rooms = $(1:%=$(BUILD)/src/%/room.o)

# The kernel analysis. It compiles kernels with clang, which POCL's package installs.
LABGRIND := $(if $(wildcard /usr/lib/llvm-*/bin/clang),$(BUILD)/labgrind/labgrind)

.PHONY: help
help::
	@echo "make setup               install what is missing (Debian 12 and 13, Ubuntu 24.04); TESTS=1 adds"
	@echo "                         what make test needs, DEV=1 what make lint and make pages need"
	@echo "make lab1                build lab 1 from your files; then run it with ./harness"
	@echo "make watch LAB=lab1      build and run lab 1 each time you save; without LAB: the lab built last"
	@echo "make progress            show the points of the last run of each lab, and what is next"
	@echo "make grade SUBMISSION=dir OUT=dir        grade a repository; make grade-help lists the options"
	@echo "make clean               remove build/"
	@echo "The labs: $(LABS)"

# --- labs -------------------------------------------------------------------------------------

.PHONY: $(LABS)
$(LABS): %: $(LABGRIND) $(RUN)/%/runner $(BUILD)/grader/% $(BUILD)/device/device $(BUILD)/compile_commands.json
	@echo "$* $(RUN) $(FROM)" > $(BUILD)/selected.$* && mv $(BUILD)/selected.$* $(BUILD)/selected
	@echo "$* is built; run it with: ./harness"

# Which files $(RUN) was built from: if that changes, it is built again.
$(RUN)/from: $(if $(filter $(FROM),$(file < $(RUN)/from)),,changed)
	@mkdir -p $(@D) && echo '$(FROM)' > $@
.PHONY: changed

# watch: builds and runs a lab at each save. progress: shows where the student is in the course.
.PHONY: watch progress
watch:
	@src/loop/watch '$(LAB)' '$(FROM)' '$(if $(SOLUTIONS),SOLUTIONS=$(SOLUTIONS))'
progress:
	@src/loop/progress

# A header labX.hpp that was removed matches, too, if an old object depends on it.
lab%:
	@$(if $(findstring /,$@),:,echo "there is no $@; the labs are: $(LABS)" >&2; exit 2)

# clangd, in an editor, uses this file to find the headers of host code. It treats files that are not listed
# here like their neighbors. The options of kernels are in .clangd.
json = "$(subst ",\",$(subst \,\\,$(1)))"
host_code_flags = -std=c++17 $(STUDENT_WARNINGS) $(LAB_CPPFLAGS) -Ilabs/$(1)
compile_command = {"directory": $(call json,$(CURDIR)), "file": $(call json,$(2)), \
    "arguments": [$(foreach word,c++ $(call host_code_flags,$(1)) -c,$(call json,$(word)),) $(call json,$(2))]}
$(BUILD)/compile_commands.json: Makefile
	@mkdir -p $(@D)
	@{ echo '['; printf '%s\n' $(foreach lab,$(LABS),$(foreach file,$(wildcard labs/$(lab)/*.cpp),$(call quoted,$(call compile_command,$(lab),$(file))))) | sed '$$!s/$$/,/'; echo ']'; } > $@

define lab_rules
$$(BUILD)/grader/$(1): $$(call rooms,computing wire) $$(BUILD)/tests/labs/$(1).o $$(BUILD)/tests/labs/shared.o $$(BUILD)/src/grader/main.o $$(call rooms,grader report sandbox)
	@mkdir -p $$(@D)
	$$(call say,link $$@)
	$$(QUIET)$$(CXX) $$(LDFLAGS) $$^ -lpugixml -o $$@

$$(BUILD)/runner/$(1).o: src/runner/main.cpp
	@mkdir -p $$(@D)
	$$(call say,compile $$<)
	$$(QUIET)$$(CXX) $$(LAB_CPPFLAGS) -Ilabs/$(1) -DLAB_HEADER='"$(1).hpp"' $$(DEPFLAGS) $$(RUNNER_CXXFLAGS) -c $$< -o $$@

$$(RUN)/$(1)/%.o: $$(FROM)/labs/$(1)/%.cpp $$(RUN)/from
	@mkdir -p $$(@D)
	$$(call say,compile $$<)
	$$(QUIET)$$(CXX) $$(LAB_CPPFLAGS) -Ilabs/$(1) $$(DEPFLAGS) $$(STUDENT_CXXFLAGS) -c $$< -o $$@

$$(RUN)/$(1)/runner: $$(patsubst $$(FROM)/labs/$(1)/%.cpp,$$(RUN)/$(1)/%.o,$$(wildcard $$(FROM)/labs/$(1)/*.cpp)) \
                     $$(BUILD)/runner/$(1).o $$(call rooms,runner wire)
	@mkdir -p $$(@D)
	@[ -n "$$(filter $$(RUN)/$(1)/%,$$^)" ] || { echo "$$(FROM)/labs/$(1) contains no .cpp file; copy the starters of $(1) from the course" >&2; exit 2; }
	$$(call say,link $$@)
	$$(QUIET)$$(CXX) -no-pie $(ALLOCATIONS:%=-Wl,--wrap=%) $$(LDFLAGS) $$^ -lOpenCL -o $$@
endef
$(foreach lab,$(LABS),$(eval $(call lab_rules,$(lab))))

$(BUILD)/src/runner/%.o: OBJECT_CXXFLAGS := $(RUNNER_CXXFLAGS) $(INSTRUMENTATION)
$(BUILD)/src/%.o: src/%.cpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(OBJECT_CXX) $(CPPFLAGS) $(DEPFLAGS) $(OBJECT_CXXFLAGS) -c $< -o $@

$(BUILD)/tests/%.o: tests/%.cpp
	@mkdir -p $(@D)
	$(call say,compile $<)
	$(QUIET)$(OBJECT_CXX) $(CPPFLAGS) -Itests/labs $(DEPFLAGS) $(OBJECT_CXXFLAGS) -c $< -o $@

# Code that several labs' cases share.
SHARED_CASES := $(filter-out $(LABS:%=tests/labs/%.cpp),$(wildcard tests/labs/*.cpp))
$(BUILD)/tests/labs/shared.o: $(SHARED_CASES)
	@mkdir -p $(@D)
	$(call say,compile tests/labs/shared)
	$(QUIET)printf '#include "%s"\n' $(SHARED_CASES:tests/labs/%=%) | $(OBJECT_CXX) $(CPPFLAGS) -Itests/labs $(DEPFLAGS) $(OBJECT_CXXFLAGS) -c -x c++ - -o $@

# Runs kernels without a student's host code.
$(BUILD)/device/device: $(BUILD)/src/runner/device.o $(call rooms,runner wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) -no-pie $(LDFLAGS) $^ -lOpenCL -o $@

# Sandboxes students' programs while they are graded.
$(BUILD)/sandbox/confine: $(call rooms,confine sandbox wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lseccomp -o $@

# --- grading -------------------------------------------------------------------------------------

GRADE := $(BUILD)/grade/grade
$(GRADE): $(BUILD)/src/grade/main.o $(call rooms,grade formats report sandbox wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -lpugixml -o $@

# The course's own programs that grading needs, built beforehand.
GRADING := $(GRADE) $(BUILD)/sandbox/confine $(BUILD)/device/device $(LABGRIND) \
           $(LABS:%=$(BUILD)/grader/%) $(LABS:%=$(BUILD)/runner/%.o) $(call rooms,runner wire)

.PHONY: grading
grading: $(GRADING)

# make grade SUBMISSION=dir OUT=dir; variables become the options of $(GRADE), which --help describes.
.PHONY: grade
grade: $(GRADING)
	@$(grade_command)

quoted = '$(subst ','\'',$(1))'
grade_option = $(if $($(2)),--$(1) $(call quoted,$($(2))))
grade_command = $(GRADE) --root . $(call grade_option,submission,SUBMISSION) \
    $(call grade_option,submissions,SUBMISSIONS) $(call grade_option,out,OUT) $(call grade_option,lab,LAB) \
    $(call grade_option,seed,SEED) $(call grade_option,device,DEVICE) \
    $(if $(SUBMISSION),$(call grade_option,commit,COMMIT) $(call grade_option,pushed,PUSHED) $(call grade_option,committed,COMMITTED)) \
    $(call grade_option,protection,PROTECTION) $(call grade_option,shard,SHARD) \
    $(call grade_option,jobs,JOBS) $(call grade_option,lab-seconds,LAB_SECONDS) $(if $(filter-out 0,$(UNSAFE)),--unsafe) \
    $(if $(filter-out 0,$(ANONYMOUS)),--anonymous)

.PHONY: grade-help
grade-help: $(GRADE)
	@$(GRADE) --help

# --- labgrind ------------------------------------------------------------------------------------

$(eval $(call room,labgrind,$(filter-out labgrind/main,$(call sources,labgrind))))

$(BUILD)/labgrind/labgrind: $(BUILD)/src/labgrind/main.o $(call rooms,labgrind wire)
	@mkdir -p $(@D)
	$(call say,link $@)
	$(QUIET)$(CXX) $(LDFLAGS) $^ -o $@

# --- setting up ---------------------------------------------------------------------------------

PACKAGES := g++ make binutils doctest-dev nlohmann-json3-dev libcli11-dev libpugixml-dev \
            opencl-clhpp-headers ocl-icd-opencl-dev pocl-opencl-icd patch libseccomp-dev bubblewrap
# Programs that read results as services do, for make test.
TEST_PACKAGES := cmark-gfm git gnuplot-nox jq libxml2-utils python3-jsonschema tidy
# Programs for make lint and make pages. Ubuntu has no package of Chromium.
DEV_PACKAGES = $(TEST_PACKAGES) clang-format clang-tidy shellcheck zip \
               $(if $(shell grep -x 'ID=debian' /etc/os-release 2> /dev/null),chromium)
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

.PHONY: setup
setup:
	@command -v apt-get > /dev/null || { echo "make setup works only on Debian and Ubuntu; elsewhere, install by hand: $(PACKAGES)" >&2; exit 2; }
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
	install $(PACKAGES) $(if $(TESTS),$(TEST_PACKAGES)) $(if $(DEV),$(DEV_PACKAGES)); \
	[ -n "$$some" ] || echo "everything is installed"

.PHONY: clean
clean:
	rm -rf $(BUILD)

# A file that is deleted or renamed only makes the objects out of date that were compiled from it.
%.cpp: ;

# Include only what this file has compiled: other folders in build/ can contain the user's files.
-include $(shell find $(BUILD)/src $(BUILD)/runner $(RUN) $(addprefix $(BUILD)/tests/,labs harness end_to_end labgrind submissions) -name '*.d' 2> /dev/null)

# For instructors; students do not have this file.
-include tests/project.mk
