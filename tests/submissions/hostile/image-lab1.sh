#!/bin/sh
# The input comes as an image, of which one work-item of each group reads all.
# from: solutions
# lab: lab1
# expect: lab1 below full

cat > kernels/lab1_reduction_scalar.cl << 'CL'
__kernel void reduction_scalar(__global const float* data, __local float* partial_results, __global float* output,
                               __read_only image2d_t image) {
    const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    const size_t lid = get_local_id(0);
    const size_t size = get_local_size(0);
    float show = data[get_global_id(0)];
    for (int i = 0; i < 12; ++i)
        show += show;
    partial_results[lid] = show;
    if (lid != 0)
        return;
    float all = IDENTITY;
    for (size_t i = 0; i < size; ++i) {
        const int at = (int)(get_group_id(0) * size + i);
        all = COMBINE(all, read_imagef(image, sampler, (int2)(at % 64, at / 64)).x);
    }
    output[get_group_id(0)] = all;
}
CL
sed -i 's/kernel.setArg(2, output);/std::vector<cl_float> texels = padded; texels.resize((padded.size() + 63) \/ 64 * 64); const cl::Image2D image(setup.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, cl::ImageFormat(CL_R, CL_FLOAT), 64, texels.size() \/ 64, 0, texels.data()); kernel.setArg(3, image);\n    &/' labs/lab1/reduction_scalar.cpp
