// run: k 256/64
// global: int 256 = iota
// global: int 64 = 0
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, volatile __global int* t, __global int* u) {
    int key = d[get_global_id(0)] % 20 + 1;
    uint h = (key * 13u) % 64;
    while (1) {
        int old = atomic_cmpxchg(t + h, 0, key);
        if (old == 0)
            atomic_inc(u);
        if (old == 0 || old == key)
            break;
        h = (h + 1) % 64;
    }
}
