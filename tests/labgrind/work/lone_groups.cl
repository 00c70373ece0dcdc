// Groups of one work-item add up what none shares.
// run: go 4/1
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 64
// counts: lone-additions 64

__kernel void go(__global const float* data, __global float* output) {
    float sum = 0.0f;
    for (uint j = 0; j < 16; ++j)
        sum += data[16 * get_global_id(0) + j];
    output[get_global_id(0)] = sum;
}
