// run: k 256/64
// global: float 256 = 0
// expect: nothing
__constant float tab[4] = {1, 2, 3, 4};
__constant char name[] = "abc";
__kernel void k(__global float* o) {
    float4 v = (float4)(1);
    if (get_global_id(0) == 3)
        printf("%d %s %v4f\n", 3, "hey", v);
    o[get_global_id(0)] = tab[get_local_id(0) & 3] + name[0] - 97;
}
