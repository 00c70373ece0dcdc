// run: k 64/64
// global: int 1024 = iota
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, volatile __global int* found) {
    for (int i = get_global_id(0); i < 1024; i += get_global_size(0)) {
        if (*found)
            return;
        if (d[i] == 700)
            atomic_xchg(found, i);
    }
}
