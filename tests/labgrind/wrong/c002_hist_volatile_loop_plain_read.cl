// run: k 64/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 16 = 0
// expect: data-race 9
__kernel void k(__global const int* key, __global int* sorted, volatile __global int* offset) {
    for (int i = get_global_id(0); i < 256; i += get_global_size(0)) {
        const int b = key[i] % 16;
        const int pos = b * 16 + offset[b];
        atomic_inc(&offset[b]);
        sorted[pos] = key[i];
    }
}
