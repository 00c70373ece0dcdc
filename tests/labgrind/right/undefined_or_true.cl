// run: k 4/4
// global: int 4 = iota
// global: int 4
// expect: nothing
__kernel void k(__global const int* key, __global int* tail) {
    __local int s[5];
    int l = get_local_id(0);
    s[l] = key[l] / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    tail[l] = (l == 3) | (s[l] != s[l + 1]);
}
