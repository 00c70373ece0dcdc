// One addition each: counters and indices are no data, also as floats.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 64

__kernel void go(__global const float* data, __global float* output) {
    const float i = 1.0f * get_global_id(0);
    float distance = 1.0f;
    for (float step = 1.0f; step < 4.0f; step += 1.0f)
        distance += distance;
    output[(int)i] = data[(int)i] + data[((int)fma(1.0f, i, distance)) % 64];
}
