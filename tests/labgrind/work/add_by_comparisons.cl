// An adder for numbers below 4, made of decisions.
// run: go 64/64
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 0, comparisons 320

__kernel void go(__global const float* data, __global float* output) {
    const uint i = get_global_id(0);
    const int a = (int)data[i];
    const int b = (int)data[(i + 1) % 64];
    int sum = 0;
    if (a + b >= 4)
        sum |= 4;
    if (a + b >= sum + 2)
        sum |= 2;
    if (a + b > sum)
        sum |= 1;
    switch (b) {
    case 3:
        sum = sum & 7;
        break;
    default:
        break;
    }
    output[i] = isgreater(data[i], 4.0f) ? 0.0f : (float)sum;
}
