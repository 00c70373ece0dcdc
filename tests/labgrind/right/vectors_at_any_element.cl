// vload and vstore can begin at any element, and so can members of a packed struct.
// run: pairs 8/4
// global: float 12 = iota
// global: float 12 = 0
// global: int 40 = 0
// expect: nothing

typedef struct __attribute__((packed)) {
    char tag;
    int value;
} Tagged;

__kernel void pairs(__global const float* data, __global float* sums, __global Tagged* tagged) {
    const size_t i = get_global_id(0);
    const float4 four = vload4(0, data + i);
    if (i % 4 == 1)
        vstore2(four.xy + four.zw, 0, sums + i);
    tagged[i].tag = 1;
    tagged[i].value = i;
}
