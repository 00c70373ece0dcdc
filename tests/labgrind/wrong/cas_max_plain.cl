// run: t 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: data-race 7
__kernel void t(__global int* data, volatile __global int* out) {
    int v = data[get_global_id(0)];
    if (v > out[0])
        atomic_xchg(out, v);
}
