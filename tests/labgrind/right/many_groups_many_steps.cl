// run: k 4096/64
// global: int 4096 = iota
// expect: nothing
// 300 steps of a cellular automaton in each of 64 groups
__kernel void k(__global int* a) {
    __local int s[2][64];
    int l = get_local_id(0);
    s[0][l] = a[get_global_id(0)];
    for (int p = 0; p < 300; p++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[~p & 1][l] = s[p & 1][l] ^ s[p & 1][(l + 1) & 63];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = s[0][l];
}
