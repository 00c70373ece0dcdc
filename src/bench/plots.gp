# Draws the figures of make bench: gnuplot -c plots.gp FOLDER. Each data file is named like its figure.

folder = ARG1
set datafile missing "?"
set key outside right top noenhanced samplen 2
set colorsequence podo
set grid
set style data linespoints
set tics nomirror

# Plots all columns of a file against its first one, on the current terminal. Nothing if there is no file.
draw(figure) = system(sprintf("test -e '%s/%s.dat' && echo yes", folder, figure)) ne "yes" ? "" : sprintf("set output '%s'; file = '%s/%s.dat'; stats file skip 1 using 1 nooutput; columns = STATS_columns; plot for [i=2:columns] file using 1:i title columnheader(i)", out(figure), folder, figure)

do for [format in "svg png"] {
    if (format eq "svg") {
        set terminal svg size 1000,600 font "sans,14" background "white"
    } else {
        set terminal png size 1000,600
    }
    out(figure) = sprintf("%s/%s.%s", folder, figure, format)

    set logscale x 2
    set format x "2^{%L}"
    set xlabel "elements"
    set logscale y
    set ylabel "GB/s (4 bytes per element; copy: 8)"
    set title "Reductions: bandwidth, data on the device, best work-group size"
    eval draw("bandwidth_reduction")

    set ylabel "GB/s (8 bytes per element)"
    set title "Scans: bandwidth, data on the device, best work-group size"
    eval draw("bandwidth_scan")

    set ylabel "times faster than one loop on one core"
    set title "Reductions: speed-up over a sequential loop (C++, -O3)"
    eval draw("speedup_reduction")

    set title "Scans: speed-up over a sequential loop (C++, -O3)"
    eval draw("speedup_scan")

    unset logscale y
    set yrange [0:1.5<*]
    set ylabel "time of Hillis-Steele / time of Blelloch"
    set title "Lab 4 against lab 5, data on the device; the source says at most 1.4"
    set arrow 1 from graph 0, first 1.4 to graph 1, first 1.4 nohead dashtype 2
    eval draw("hillis_steele")
    unset arrow 1
    set yrange [*:*]

    set format x "%g"
    set logscale y
    set xlabel "work-group size"
    set ylabel "GB/s (4 bytes per element for reductions, 8 for scans)"
    set title "Work-group sizes, at the largest size measured"
    eval draw("work_groups")
    unset logscale
    set output
}
