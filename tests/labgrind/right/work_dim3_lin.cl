// run: k 8x8x4/2x4x2
// global: float 256 = 0
// expect: nothing
__kernel void k(__global float* o) {
    size_t i = get_global_id(0) +
               get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    o[i] = i;
}
