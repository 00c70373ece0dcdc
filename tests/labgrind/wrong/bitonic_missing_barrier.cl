// run: k 256/64
// global: int 256 = iota
// expect: data-race 17
// expect: data-race 18
// expect: data-race 19
// expect: data-race 20
__kernel void k(__global int* a) {
    __local int t[64];
    const int lid = get_local_id(0);
    t[lid] = 1000 - a[get_global_id(0)];
    for (int k = 2; k <= 64; k *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = k / 2; j > 0; j /= 2) {
            int p = lid ^ j;
            if (p > lid) {
                bool up = (lid & k) == 0;
                if ((t[lid] > t[p]) == up) {
                    int x = t[lid];
                    t[lid] = t[p];
                    t[p] = x;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[lid];
}
