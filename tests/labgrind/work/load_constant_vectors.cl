// The same by vload4.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 256
// counts: global-bytes 256

__kernel void go(__constant float* data, __global float* output) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    if (i == 0) {
        for (uint j = 0; j < 16; ++j)
            sum += vload4(j, data).x;
    }
    output[i] = sum;
}
