// run: hist 64/16
// global: int 256 = iota
// global: int 16 = 0
// expect: uninitialised 8
__kernel void hist(__global const int* data, __global int* out) {
    int h[16];
    for (int i = get_global_id(0); i < 256; i += get_global_size(0))
        h[data[i] % 16]++;
    for (int b = 0; b < 16; b++)
        atomic_add(&out[b], h[b]);
}
