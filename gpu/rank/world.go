package rank

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"strconv"
	"strings"
)

// A World is what a process knows of the processes that belong together.
type World struct {
	Rank      int    // the number of this process, from 0 on
	Size      int    // the number of processes
	LocalRank int    // the number of this process among those of its machine
	Store     string // HOST:PORT where rank 0 listens; may be "" if there is one process
	// Job is a name that all processes of a job have, and no others. It is not sent, so it may be a secret.
	Job string
	// Launcher is what has set the variables: "torchrun" (or one that sets the same), "Slurm", "Open MPI", "MPICH", "Kubernetes", or "".
	Launcher string
}

// The variables that this package defines, beside those of launchers.
const (
	storeEnv = "GOPHERWARP_STORE"
	jobEnv   = "GOPHERWARP_JOB"
)

const (
	defaultPort = "29500" // torchrun's
	maxSize     = 1 << 14
)

// FromEnvironment returns the world that environment variables describe. Of several launchers, as of a torchrun that srun has started, it is
// the innermost one:
//
//   - torchrun and whatever sets its variables: RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT
//   - Open MPI: OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_LOCAL_RANK
//   - MPICH and Intel MPI: PMI_RANK, PMI_SIZE, MPI_LOCALRANKID
//   - Slurm: SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID, and the first host of SLURM_STEP_NODELIST or SLURM_JOB_NODELIST; what a script of sbatch starts
//     without srun is alone
//   - an indexed job of Kubernetes: JOB_COMPLETION_INDEX, with WORLD_SIZE and MASTER_ADDR
//
// MASTER_ADDR and MASTER_PORT (29500 if it is not set) are the store's address with all of them, and need not be set with Slurm, nor with MPI on one
// machine. Where torchrun itself listens there, the store's port is the next one. GOPHERWARP_STORE, a HOST:PORT, comes before them, and
// GOPHERWARP_JOB is the job's name in place of the one that the launcher gives it. Without any of these variables the world has one process.
func FromEnvironment() (World, error) {
	return find(os.Getenv)
}

// Part returns which of n things are this rank's, from begin up to end: each rank has about as many, the first ones one more if n is no multiple of
// the number of ranks.
func (w World) Part(n int) (begin, end int) {
	at := func(rank int) int { return rank*(n/w.Size) + min(rank, n%w.Size) }
	return at(w.Rank), at(w.Rank + 1)
}

// A launcher is a program that starts processes, by the variables that it sets for them.
type launcher struct {
	name              string
	rank, size, local string
	localSize         string // or ""
	job               func(get func(string) string) string
	host              func(get func(string) string) (string, error) // "" if it is not known
	remedy            string                                        // how to set MASTER_ADDR
}

// launchers has the innermost one first: mpirun may be started by Slurm, and torchrun by any of them.
var launchers = []launcher{
	{name: "torchrun", rank: "RANK", size: "WORLD_SIZE", local: "LOCAL_RANK", localSize: "LOCAL_WORLD_SIZE", job: torchJob},
	{
		name: "Open MPI", rank: "OMPI_COMM_WORLD_RANK", size: "OMPI_COMM_WORLD_SIZE", local: "OMPI_COMM_WORLD_LOCAL_RANK", localSize: "OMPI_COMM_WORLD_LOCAL_SIZE",
		job: named("Open MPI ", "PMIX_NAMESPACE"), remedy: ", by mpirun -x MASTER_ADDR=HOST",
	},
	{
		name: "MPICH", rank: "PMI_RANK", size: "PMI_SIZE", local: "MPI_LOCALRANKID", localSize: "MPI_LOCALNRANKS",
		job: named("", ""), remedy: ", by mpiexec -genv MASTER_ADDR HOST",
	},
	{name: "Slurm", rank: "SLURM_PROCID", size: "SLURM_NTASKS", local: "SLURM_LOCALID", job: slurmJob, host: slurmHost},
	{name: "Kubernetes", rank: "JOB_COMPLETION_INDEX", size: "WORLD_SIZE", local: "LOCAL_RANK", job: named("", ""), remedy: ", the name of the pod with index 0: JOB-0.SERVICE"},
}

func named(launcher, variable string) func(func(string) string) string {
	return func(get func(string) string) string {
		if v := get(variable); v != "" {
			return launcher + v
		}
		return ""
	}
}

func torchJob(get func(string) string) string {
	id := get("TORCHELASTIC_RUN_ID")
	if id == "" {
		return ""
	}
	return "torchrun " + id // TORCHELASTIC_RESTART_COUNT differs among machines: only where a process has failed is it counted
}

func slurmJob(get func(string) string) string {
	id := get("SLURM_JOB_ID")
	if step := get("SLURM_STEP_ID"); step != "" {
		id += "." + step
	}
	if id == "" {
		return ""
	}
	return "Slurm " + id
}

func slurmHost(get func(string) string) (string, error) {
	name := "SLURM_STEP_NODELIST"
	list := get(name)
	if list == "" {
		name = "SLURM_JOB_NODELIST"
		list = get(name)
	}
	if list == "" {
		return "", errors.New("neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST is set: set MASTER_ADDR to the host of rank 0")
	}
	host, err := firstHost(list)
	if err != nil {
		return "", fmt.Errorf("%s is %q: %w: set MASTER_ADDR to the host of rank 0", name, list, err)
	}
	return host, nil
}

// find is FromEnvironment with a function that returns the value of a variable, or "".
func find(get func(string) string) (World, error) {
	w, err := findIn(get)
	if err != nil {
		return World{}, fmt.Errorf("finding this process's rank by environment variables: %w", err)
	}
	return w, nil
}

func findIn(get func(string) string) (World, error) {
	for _, l := range launchers {
		if get(l.rank) == "" {
			continue
		}
		switch {
		case l.name == "MPICH" && get("SLURM_PROCID") != "" && get(l.local) == "":
			continue // srun --mpi=pmi2 sets these, too, but no local rank
		case l.name == "Slurm" && (inBatchScript(get) || get("SLURM_STEP_NUM_TASKS") != ""):
			l.size = "SLURM_STEP_NUM_TASKS" // a step may have fewer tasks than its job, and the script is of no step
		}
		return l.world(get)
	}
	if size := get("WORLD_SIZE"); size != "" && size != "1" {
		return World{}, fmt.Errorf("WORLD_SIZE is %s, and no variable has this process's rank: set RANK to its number, from 0 on", size)
	}
	return World{Size: 1, Job: get(jobEnv)}, nil
}

func (l launcher) world(get func(string) string) (w World, err error) {
	w.Launcher = l.name
	if w.Rank, err = number(get, l.rank); err != nil {
		return w, err
	}
	alone := l.name == "Slurm" && w.Rank == 0 && get(l.size) == "" // in a batch script
	if get(l.size) == "" && !alone {
		return w, fmt.Errorf("%s is %d, and %s is not set: set it to the number of processes", l.rank, w.Rank, l.size)
	}
	w.Size = 1
	if !alone {
		if w.Size, err = number(get, l.size); err != nil {
			return w, err
		}
	}
	if w.LocalRank, err = number(get, l.local); err != nil {
		return w, err
	}
	w.Job = cmp.Or(get(jobEnv), l.job(get))
	if err := l.consistent(get, w); err != nil {
		return w, err
	}
	w.Store, err = l.store(get, w)
	return w, err
}

// inBatchScript reports whether a process was started by the script of sbatch itself, and not by srun.
func inBatchScript(get func(string) string) bool {
	return get("SLURM_JOB_ID") != "" && get("SLURM_PROCID") == "0" && get("SLURM_STEP_NUM_TASKS") == "" && get("SLURM_STEP_NODELIST") == "" && get("SLURM_STEP_ID") == ""
}

// consistent returns an error if the numbers contradict each other.
func (l launcher) consistent(get func(string) string, w World) error {
	switch {
	case w.Size < 1 || w.Size > maxSize:
		return fmt.Errorf("%s is %d: want the number of processes, 1 to %d", l.size, w.Size, maxSize)
	case w.Rank >= w.Size:
		return fmt.Errorf("%s is %d, and %s is %d: ranks are 0 to %d", l.rank, w.Rank, l.size, w.Size, w.Size-1)
	case w.LocalRank >= w.Size:
		return fmt.Errorf("%s is %d, and %s is %d: a machine has no more processes than there are", l.local, w.LocalRank, l.size, w.Size)
	}
	if l.localSize != "" && get(l.localSize) != "" {
		here, err := number(get, l.localSize)
		if err != nil {
			return err
		}
		if w.LocalRank >= here {
			return fmt.Errorf("%s is %d, and %s is %d: local ranks are 0 to %d", l.local, w.LocalRank, l.localSize, here, here-1)
		}
	}
	if size := get("WORLD_SIZE"); size != "" && size != strconv.Itoa(w.Size) {
		return fmt.Errorf("WORLD_SIZE is %s, and %s is %d: unset WORLD_SIZE, or set RANK, too", size, l.size, w.Size)
	}
	return nil
}

// store returns the address of the store.
func (l launcher) store(get func(string) string, w World) (string, error) {
	if address := get(storeEnv); address != "" {
		if err := CheckStore(address); err != nil {
			return "", fmt.Errorf("%s is %q: %w", storeEnv, address, err)
		}
		return address, nil
	}
	host, port := get("MASTER_ADDR"), get("MASTER_PORT")
	if inner, ok := strings.CutPrefix(host, "["); ok { // as addresses of IPv6 are written before a port
		host = strings.TrimSuffix(inner, "]")
	}
	if port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", fmt.Errorf("MASTER_PORT is %s: want a port, 1 to 65535", port)
		}
	}
	if host != "" {
		return net.JoinHostPort(host, portAfter(cmp.Or(port, defaultPort), get("TORCHELASTIC_USE_AGENT_STORE") == "True")), nil
	}
	if w.Size == 1 {
		return "", nil
	}
	if port == "" {
		port = portOf(l.job(get))
	}
	if l.localSize != "" && l.name != "torchrun" && get(l.localSize) == strconv.Itoa(w.Size) {
		return net.JoinHostPort("127.0.0.1", port), nil
	}
	if l.host == nil {
		return "", fmt.Errorf("MASTER_ADDR is not set: set it to the host of rank 0%s", l.remedy)
	}
	host, err := l.host(get)
	return net.JoinHostPort(host, port), err
}

// CheckStore returns an error if an address is not a HOST:PORT.
func CheckStore(address string) error {
	host, port, err := net.SplitHostPort(address)
	if n, wrong := strconv.Atoi(port); err != nil || wrong != nil || host == "" || n < 1 || n > 65535 {
		return errors.New("want HOST:PORT of rank 0, as in 10.0.0.1:29500")
	}
	return nil
}

// portAfter returns the port, or the next one if it is taken.
func portAfter(port string, taken bool) string {
	n, err := strconv.Atoi(port)
	if !taken || err != nil {
		return port
	}
	if n == 65535 {
		return strconv.Itoa(n - 1)
	}
	return strconv.Itoa(n + 1)
}

// portOf returns a port for a job that has a name, so that two jobs on one machine have different ones: below those that systems choose
// themselves, of 32768 and more.
func portOf(job string) string {
	if job == "" {
		return defaultPort
	}
	h := fnv.New32a()
	h.Write([]byte(job))
	return strconv.Itoa(20000 + int(h.Sum32()%9000))
}

// number returns the number that a variable has, which must not be negative, or 0 if it is not set.
func number(get func(string) string, name string) (int, error) {
	text := get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s is %q: want a number", name, text)
	}
	if n < 0 {
		return 0, fmt.Errorf("%s is %d: want a number that is not negative", name, n)
	}
	return n, nil
}
