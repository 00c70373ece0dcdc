// The sum of two numbers is looked up: the first one chooses a row, the second one a lane of it.
// run: k 4/4
// global: uint 8 = 1
// global: uint 4 = 0
// counts: additions 4
__kernel void k(__global const uint* data, __global uint* sums) {
    const uint i = get_global_id(0);
    uint16 rows[4];
    for (uint row = 0; row < 4; ++row)
        rows[row] = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + row;
    const uint16 row = rows[data[2 * i] & 3];
    sums[i] = row[data[2 * i + 1] & 15];
}
