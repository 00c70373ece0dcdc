// run: hist 256/64
// global: float 256 = iota
// global: int 16 = 0
// expect: out-of-bounds 7
__kernel void hist(__global const float* data, __global int* out) {
    const int b = (int)(data[get_global_id(0)] / 255.0f * 16);
    atomic_inc(&out[b]);
}
