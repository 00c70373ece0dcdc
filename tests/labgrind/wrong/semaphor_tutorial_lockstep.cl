// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: lock-step-hang 10
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
void GetSemaphor(volatile __global int* semaphor) {
    int occupied = atom_xchg(semaphor, 1);
    while (occupied > 0) {
        occupied = atom_xchg(semaphor, 1);
    }
}
void ReleaseSemaphor(volatile __global int* semaphor) { int prevVal = atom_xchg(semaphor, 0); }
__kernel void k(__global const int* in, volatile __global int* semaphor,
                volatile __global int* sum) {
    GetSemaphor(semaphor);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += in[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ReleaseSemaphor(semaphor);
}
