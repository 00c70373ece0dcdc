// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: endless-loop 17
__kernel void k(__global const int* in, __global int* out) {
    __local volatile int ready;
    __local int v;
    const int l = get_local_id(0);
    if (l == 0)
        ready = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 15) {
        v = in[get_global_id(0)];
        mem_fence(CLK_LOCAL_MEM_FENCE);
        ready = 1;
    }
    while (!ready)
        ;
    out[get_global_id(0)] = v;
}
