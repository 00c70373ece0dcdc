// The same by a copy of a struct.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: item-bytes 256
// counts: global-bytes 256

typedef struct {
    float values[64];
} All;

__kernel void go(__constant All* data, __global float* output) {
    const uint i = get_global_id(0);
    float sum = 0.0f;
    if (i == 0) {
        const All all = *data;
        for (uint j = 0; j < 64; ++j)
            sum += all.values[j];
    }
    output[i] = sum;
}
