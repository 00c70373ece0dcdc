// The 64-bit words begin after one word of 32 bits.
// run: k 4/4
// global: int 9 = 0
// expect: misaligned 8
// says: writes 8 bytes starting at words[1], at line 8, but this address must be a multiple of 8 bytes
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
__kernel void k(__global int* words) {
    atom_add((volatile __global ulong*)(words + 1) + get_local_id(0), 1);
}
