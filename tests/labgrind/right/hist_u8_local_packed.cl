// run: histogram256 64/16
// global: uint 256 = iota
// global: uint 1024 = 0
// local: uchar 4096
// expect: nothing
// AMD's Histogram: a byte per bin and work-item, read as uchar4 sums
__kernel void histogram256(__global const uint* data, __global uint* bins, __local uchar* shared_) {
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0), grp = get_group_id(0);
    __local uchar4* input = (__local uchar4*)shared_;
    for (int i = 0; i < 64; ++i)
        input[n * i + l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; ++i)
        shared_[(data[g * 4 + i] & 255) * n + l]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 256 / n; ++i) {
        int at = i * n * n + l * n;
        uint4 sum = 0;
        for (int j = 0; j < n / 4; ++j)
            sum += convert_uint4(input[at / 4 + j]);
        bins[grp * 256 + i * n + l] = sum.x + sum.y + sum.z + sum.w;
    }
}
