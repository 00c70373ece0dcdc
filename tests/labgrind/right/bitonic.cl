// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int s[64];
    int l = get_local_id(0);
    s[l] = -d[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int a = 2; a <= 64; a *= 2)
        for (int j = a / 2; j > 0; j /= 2) {
            int x = l ^ j;
            if (x > l) {
                int u = s[l], v = s[x];
                if (((l & a) == 0) == (u > v)) {
                    s[l] = v;
                    s[x] = u;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    o[get_global_id(0)] = s[l];
}
