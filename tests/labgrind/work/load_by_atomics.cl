// Loads by atomic operations.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 256

__kernel void go(__global int* data, __global float* output) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    if (i == 0) {
        for (uint j = 0; j < 64; ++j)
            sum += as_float(atomic_or(&data[j], 0));
    }
    output[i] = sum;
}
