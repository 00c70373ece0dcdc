// run: k 64/64
// global: float 64 = iota
// global: float 1024 = 0
// global: int 1024 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o, __global int* q) {
    __local float lc[64];
    int l = get_local_id(0);
    float x = d[l] * 0.1f + 0.5f, c, ip;
    int e, quo, sg;
    float s = sincos(x, &c);
    float m = modf(x, &ip);
    float f = frexp(x, &e);
    float r = remquo(x, 0.3f, &quo);
    float fr = fract(x, &lc[l]);
    float lg = lgamma_r(x, &sg);
    o[l] = s + c + m + ip + f + r + fr + lc[l] + lg;
    o[64 + l] = sincos(x, &o[128 + l]);
    q[l] = e + quo + sg + popcount(l) + clz(l) + mad24(l, 3, 4) + mul24(l, 2) + rotate(l, 3) +
           hadd(l, 5) + rhadd(l, 3) + abs_diff(l, 9) + add_sat(l, 5) + sub_sat(l, 5) +
           mul_hi(l, 1 << 30) + mad_hi(l, 5, 6) + mad_sat(l, 5, 6) + upsample((short)l, (ushort)3);
    o[192 + l] = native_sin(x) + half_sqrt(x) + rsqrt(x) + exp2(x) + log1p(x) + pown(x, 3) +
                 rootn(x, 3) + powr(x, 2.0f) + hypot(x, 2.0f) + ldexp(x, 3) + ilogb(x) +
                 nextafter(x, 9.0f) + copysign(x, -1.0f) + fdim(x, 1.0f) + maxmag(x, 2.0f) +
                 minmag(x, 3.0f) + trunc(x) + rint(x) + round(x) + cbrt(x) + erf(x) + tgamma(x) +
                 atan2pi(x, 2.0f) + sinpi(x) + acospi(0.1f) + fmod(x, 2.0f) + logb(x) + expm1(x) +
                 degrees(x) + radians(x) + sign(x) + step(1.0f, x) + smoothstep(0.0f, 9.0f, x) +
                 mix(x, 2.0f, 0.5f) + clamp(x, 0.0f, 3.0f);
    float4 a = (float4)(x, 1, 2, 3), b = (float4)(3, 2, 1, x);
    o[256 + l] = dot(a, b) + length(a) + distance(a, b) + cross(a, b).y + normalize(a).x +
                 fast_length(a) + fast_normalize(b).y;
    int4 lt = a < b;
    q[64 + l] = any(lt) + all(lt) + bitselect(1, 2, l) + isnan(x) + isgreater(x, 2.0f) +
                signbit(x) + convert_int_rte(x) + convert_uchar_sat(x * 100) + as_int(x) +
                convert_int4_rtz(a).x + (int)vec_step(a);
    uint4 mask = (uint4)(3, 2, 1, 0);
    o[320 + l] = shuffle(a, mask).x + shuffle2(a, b, (uint4)(7, 0, 5, 2)).y + max(a, b).z +
                 fmin(a, 0.0f).w + a.hi.x + b.even.y + a.s3;
    q[128 + l] = convert_char4_sat_rtp(a).y + convert_ushort4(b).z + (int)convert_long4(a).w;
    prefetch(d, 4);
}
