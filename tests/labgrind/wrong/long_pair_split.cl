// run: k 64/16
// global: int 64 = iota
// global: int2 1 = 0
// expect: data-race 8
// expect: data-race 9
__kernel void k(__global const int* in, __global int2* best) {
    const int2 mine = (int2)(in[get_global_id(0)], get_global_id(0));
    if (mine.x > best[0].x)
        best[0] = mine;
}
