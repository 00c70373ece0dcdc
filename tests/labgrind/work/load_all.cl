// One work-item loads all.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 256
// counts: lone-additions 64

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    if (i == 0) {
        for (uint j = 0; j < 64; ++j)
            sum += data[j];
    }
    output[i] = sum;
}

