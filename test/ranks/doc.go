// Package ranks tests a program of several processes as users start it: by gopherwarp run, by the variables of other launchers, and by mpirun and
// torchrun where those are installed. The program is in directory kmeans.
package ranks
