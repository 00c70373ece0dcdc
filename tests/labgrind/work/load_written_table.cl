// A table that a work-item writes to is data.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 260

__constant float table[64] = {1.0f, 2.0f};

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    ((__global float*)(size_t)table)[i] = data[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    float sum = 0.0f;
    if (i == 0) {
        for (uint j = 0; j < 64; ++j)
            sum += table[j];
    }
    output[i] = sum;
}

