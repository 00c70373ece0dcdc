// run: k 64/32
// global: int 64 = iota
// global: int 64 = 0
// expect: data-race 16
__kernel void k(__global const int* in, __global int* out) {
    __local volatile int cnt;
    __local int list[32];
    const int l = get_local_id(0);
    if (l == 0)
        cnt = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[get_global_id(0)] % 4 == 1)
        atomic_inc(&cnt); //@a
    //@b
    int s = 0;
    for (int i = 0; i < cnt; i++)
        s += in[i]; //@f
    out[get_global_id(0)] = s;
}
