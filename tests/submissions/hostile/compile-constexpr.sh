#!/bin/sh
# Ten thousand loops that the compiler itself has to run, each as long as it allows.
# from: starters
# lab: lab1
# expect: lab1 0
# build: may fail

cat >> labs/lab1/reduction_scalar.cpp << 'CPP'

template <int Number> constexpr unsigned spin() {
    unsigned sum = Number;
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 30000; ++j)
            sum = sum * 3 + 1;
    return sum;
}
template <int Number> constexpr unsigned all() {
    if constexpr (Number == 0) {
        return 0;
    } else {
        constexpr unsigned here = spin<Number>();
        return here + all<Number / 2>() + all<Number - 1>();
    }
}
static constexpr unsigned bomb = all<800>();
static const unsigned use = bomb;
CPP
