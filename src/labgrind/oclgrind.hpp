#pragma once

/// Oclgrind's headers, in an order that works: they have no include guards.

#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/Program.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>
// Its macros for barrier flags would hide this project's names for them.
#undef CLK_LOCAL_MEM_FENCE
#undef CLK_GLOBAL_MEM_FENCE
