// In a function, through a pointer.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 128

void add(float* into, float value) {
    *into = 2.0f * mix(*into, value, 0.5f);
}

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    const float a = data[i];
    const float b = data[(i + 1) % 64];
    float sum = a;
    add(&sum, b);
    add(&sum, a);
    output[i] = sum;
}

