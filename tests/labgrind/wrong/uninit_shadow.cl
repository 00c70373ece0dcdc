// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: uninitialised 12
__kernel void k(__global const float* in, __global float* out) {
    float sum;
    {
        float sum = 0;
        for (int i = 0; i < 8; i++)
            sum += in[i];
    }
    out[get_global_id(0)] = sum;
}
