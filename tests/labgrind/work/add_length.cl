// Lanes of squares are added up.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 192

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    const float a = data[i];
    const float b = data[(i + 1) % 64];
    output[i] = length((float4)(a, b, a, b));
}

