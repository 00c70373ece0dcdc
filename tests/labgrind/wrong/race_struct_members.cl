// run: k 64/32
// global: int 64 = iota
// global: int 4 = 0
// local: int 64
// expect: data-race 18
// expect: data-race 21
// expect: data-race 24
// says: writes totals[0].sum at line 18
// says: boxes[0].high
// says: pairs[1].second
typedef struct { int count; int sum; int2 rest; } Total;
typedef struct { float low, high; } Box;
struct pair { int first; int second; };
__kernel void k(__global const int* data, __global Total* restrict totals, __local struct pair* pairs) {
    __local Box boxes[2];
    const int lid = get_local_id(0);
    if (lid == 0)
        totals->sum = data[get_global_id(0)];

    if (lid < 2)
        boxes[0].high = lid;

    if (lid > 29)
        pairs[1].second = lid;
}
