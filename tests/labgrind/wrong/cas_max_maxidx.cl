// run: t 256/64
// global: int 256 = iota
// global: int 4 = 0
// expect: data-race 8
__kernel void t(__global int* data, volatile __global int* out) {
    int v = data[get_global_id(0)];
    if (atomic_max(out, v) < v)
        out[1] = get_global_id(0);
}
