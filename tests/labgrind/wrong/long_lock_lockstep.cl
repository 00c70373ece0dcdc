// run: k 256/64
// global: int 256 = iota
// global: long 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 8
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void k(__global const int* in, volatile __global long* lock, volatile __global int* sum) {
    while (atom_cmpxchg(lock, 0L, 1L) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += in[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atom_xchg(lock, 0L);
}
