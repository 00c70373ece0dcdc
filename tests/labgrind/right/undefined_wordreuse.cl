// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    float x;
    for (int i = 0; i < 3; i++) {
        if (i == 0)
            x = d[g];
        else
            x = x + 0;
    }
    float y;
    if (l >= 0)
        y = x;
    float z;
    switch (l % 2) {
    case 0:
        z = y;
        break;
    case 1:
        z = y;
        break;
    }
    o[g] = z;
}
