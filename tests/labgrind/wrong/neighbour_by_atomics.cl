// Every work-item takes it for granted that its left neighbour has been there before.
// run: scan 64/32
// global: int 64 = 1
// local: int 32
// expect: uninitialised 10
__kernel void scan(__global int* values, volatile __local int* cells) {
    const size_t lid = get_local_id(0);
    int sum = values[get_global_id(0)];
    if (lid > 0)
        sum += atomic_or(cells + lid - 1, 0);
    atomic_xchg(cells + lid, sum);
    values[get_global_id(0)] = sum;
}
