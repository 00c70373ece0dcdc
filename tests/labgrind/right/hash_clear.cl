// run: k 256/64
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* o) {
    __local int t[64];
    int l = get_local_id(0), key = l % 10 + 1;
    t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_cmpxchg(&t[key], 0, key); /* no collisions */
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[l];
}
