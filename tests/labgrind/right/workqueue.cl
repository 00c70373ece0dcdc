// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o, __global int* head) {
    __local int job;
    for (;;) {
        if (get_local_id(0) == 0)
            job = atomic_add(head, 64);
        barrier(CLK_LOCAL_MEM_FENCE);
        int j = job;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j >= 256)
            return;
        o[j + get_local_id(0)] = d[j + get_local_id(0)] + 1;
    }
}
