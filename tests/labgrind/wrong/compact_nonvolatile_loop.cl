// run: compact 64/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: data-race 9
__kernel void compact(__global const int* in, __global int* out, __global int* count) {
    for (int i = get_global_id(0); i < 256; i += get_global_size(0))
        if (in[i] % 3 == 0) {
            out[*count] = in[i];
            atomic_inc(count);
        }
}
