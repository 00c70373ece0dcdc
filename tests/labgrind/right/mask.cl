// run: k 256/64
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* o) {
    __local int s[64 + 32];
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = s[l + 32] & -(l < 32);
}
