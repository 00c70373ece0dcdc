// run: k 64/64
// global: int 64 = iota
// global: int 1 = -1
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local volatile int found;
    int l = get_local_id(0);
    if (l == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 10; r++) {
        if (d[l] * (r + 1) == 200) {
            atomic_xchg(&found, 1);
            *o = l;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (found)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
