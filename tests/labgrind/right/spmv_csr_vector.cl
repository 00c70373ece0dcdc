// run: spmv 256/64
// global: float 4096 = 1
// global: float 64 = iota
// global: float 64 = 0
// local: float 64
// expect: nothing
__kernel void spmv(__global const float* val, __global const float* x, __global float* y,
                   __local float* part) {
    int l = get_local_id(0), lane = l % 16, row = get_global_id(0) / 16;
    for (int r = row; r < 64; r += get_global_size(0) / 16) {
        float s = 0;
        for (int j = r * 8 + lane; j < (r + 1) * 8 + r % 5; j += 16)
            s += val[j] * x[j % 64];
        part[l] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 8; k > 0; k >>= 1) {
            if (lane < k)
                part[l] += part[l + k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lane == 0)
            y[r] = part[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
