// What comes out is one of both numbers.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 0, comparisons 320

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    const float a = data[i];
    const float b = data[(i + 1) % 64];
    const int mask = -(int)(i & 1);
    float c = select(a, b, (int)(a < b));
    c = fmax(c, i % 2 == 0 ? a : b);
    c = clamp(c, fmin(a, b), 4.0f);
    output[i] = as_float(as_int(c) & mask);
}

