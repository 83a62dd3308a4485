package rank

import (
	"strings"
	"testing"
)

// environment is a set of variables.
type environment map[string]string

func (e environment) lookup(name string) string { return e[name] }

func TestFromEnvironment(t *testing.T) {
	slurm := environment{
		"SLURM_PROCID": "5", "SLURM_NTASKS": "8", "SLURM_LOCALID": "1", "SLURM_JOB_ID": "77", "SLURM_STEP_ID": "2",
		"SLURM_JOB_NODELIST": "login,gpu[03-06]", "SLURM_STEP_NODELIST": "gpu[03-04]",
	}
	openMPI := environment{
		"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
		"PMIX_NAMESPACE": "1975189505",
	}
	for name, c := range map[string]struct {
		set  environment
		want World
	}{
		"nothing": {nil, World{Size: 1}},
		"torchrun": {
			environment{"RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "host1", "MASTER_PORT": "1234"},
			World{Rank: 3, Size: 4, LocalRank: 1, Store: "host1:1234", Launcher: "torchrun"},
		},
		"torchrun's agent has MASTER_PORT": {
			environment{
				"RANK": "1", "WORLD_SIZE": "2", "LOCAL_RANK": "1", "MASTER_ADDR": "host1", "MASTER_PORT": "1234",
				"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "r", "TORCHELASTIC_RESTART_COUNT": "2", // of this machine, and other ones elsewhere
			},
			World{Rank: 1, Size: 2, LocalRank: 1, Store: "host1:1235", Job: "torchrun r", Launcher: "torchrun"},
		},
		"the rest of torchrun's": {
			environment{"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "fd00::2"},
			World{Size: 2, Store: "[fd00::2]:29500", Launcher: "torchrun"},
		},
		"an address of IPv6 in brackets": {
			environment{"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "[fd00::2]", "MASTER_PORT": "7"},
			World{Size: 2, Store: "[fd00::2]:7", Launcher: "torchrun"},
		},
		"Slurm": {slurm, World{Rank: 5, Size: 8, LocalRank: 1, Store: "gpu03:" + portOf("Slurm 77.2"), Job: "Slurm 77.2", Launcher: "Slurm"}},
		"Slurm, where MASTER_ADDR is set": {
			with(slurm, "MASTER_ADDR", "other", "WORLD_SIZE", "8", "GOPHERWARP_JOB", "mine"),
			World{Rank: 5, Size: 8, LocalRank: 1, Store: "other:29500", Job: "mine", Launcher: "Slurm"},
		},
		"Slurm, a job's list": {
			with(slurm, "SLURM_STEP_NODELIST", ""),
			World{Rank: 5, Size: 8, LocalRank: 1, Store: "login:" + portOf("Slurm 77.2"), Job: "Slurm 77.2", Launcher: "Slurm"},
		},
		"Slurm, a step of fewer tasks than the job": {
			with(slurm, "SLURM_STEP_NUM_TASKS", "6"),
			World{Rank: 5, Size: 6, LocalRank: 1, Store: "gpu03:" + portOf("Slurm 77.2"), Job: "Slurm 77.2", Launcher: "Slurm"},
		},
		"Slurm with --mpi=pmi2": {
			with(slurm, "PMI_RANK", "5", "PMI_SIZE", "8", "PMI_FD", "9"),
			World{Rank: 5, Size: 8, LocalRank: 1, Store: "gpu03:" + portOf("Slurm 77.2"), Job: "Slurm 77.2", Launcher: "Slurm"},
		},
		"MPICH, started by Slurm": {
			with(slurm, "PMI_RANK", "2", "PMI_SIZE", "3", "MPI_LOCALRANKID", "1", "MASTER_ADDR", "a"),
			World{Rank: 2, Size: 3, LocalRank: 1, Store: "a:29500", Launcher: "MPICH"},
		},
		"alone in a batch script of several tasks": {
			environment{"SLURM_PROCID": "0", "SLURM_NTASKS": "8", "SLURM_LOCALID": "0", "SLURM_JOB_ID": "4", "SLURM_JOB_NODELIST": "gpu[03-04]"},
			World{Size: 1, Job: "Slurm 4", Launcher: "Slurm"},
		},
		"torchrun, started by srun": {
			with(slurm, "RANK", "1", "WORLD_SIZE", "2", "LOCAL_RANK", "0", "MASTER_ADDR", "h", "MASTER_PORT", "9"),
			World{Rank: 1, Size: 2, Store: "h:9", Launcher: "torchrun"},
		},
		"Open MPI on one machine": {openMPI, World{Rank: 1, Size: 2, LocalRank: 1, Store: "127.0.0.1:" + portOf("Open MPI 1975189505"), Job: "Open MPI 1975189505", Launcher: "Open MPI"}},
		"Open MPI": {
			with(openMPI, "OMPI_COMM_WORLD_LOCAL_SIZE", "1", "OMPI_COMM_WORLD_LOCAL_RANK", "0", "MASTER_ADDR", "a", "MASTER_PORT", "7"),
			World{Rank: 1, Size: 2, Store: "a:7", Job: "Open MPI 1975189505", Launcher: "Open MPI"},
		},
		"MPICH": {
			environment{"PMI_RANK": "2", "PMI_SIZE": "3", "MPI_LOCALRANKID": "0", "MASTER_ADDR": "a"},
			World{Rank: 2, Size: 3, Store: "a:29500", Launcher: "MPICH"},
		},
		"MPICH on one machine": {
			environment{"PMI_RANK": "2", "PMI_SIZE": "3", "MPI_LOCALRANKID": "2", "MPI_LOCALNRANKS": "3"},
			World{Rank: 2, Size: 3, LocalRank: 2, Store: "127.0.0.1:29500", Launcher: "MPICH"},
		},
		"Kubernetes": {
			environment{"JOB_COMPLETION_INDEX": "2", "WORLD_SIZE": "3", "MASTER_ADDR": "fit-0.fit", "GOPHERWARP_JOB": "fit"},
			World{Rank: 2, Size: 3, Store: "fit-0.fit:29500", Job: "fit", Launcher: "Kubernetes"},
		},
		"a store of its own": {
			environment{"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "1", "TORCHELASTIC_USE_AGENT_STORE": "True", "GOPHERWARP_STORE": "b:5"},
			World{Size: 2, Store: "b:5", Launcher: "torchrun"},
		},
		"alone":                   {environment{"RANK": "0", "WORLD_SIZE": "1"}, World{Size: 1, Launcher: "torchrun"}},
		"alone in a batch script": {environment{"SLURM_PROCID": "0", "SLURM_JOB_ID": "4"}, World{Size: 1, Job: "Slurm 4", Launcher: "Slurm"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := find(c.set.lookup)
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

// with returns the variables with others set.
func with(e environment, pairs ...string) environment {
	more := environment{}
	for k, v := range e {
		more[k] = v
	}
	for i := 0; i < len(pairs); i += 2 {
		more[pairs[i]] = pairs[i+1]
	}
	return more
}

func TestWrongEnvironment(t *testing.T) {
	torch := environment{"RANK": "1", "WORLD_SIZE": "2", "LOCAL_RANK": "1", "MASTER_ADDR": "h", "MASTER_PORT": "29500"}
	for name, c := range map[string]struct {
		set environment
		say string
	}{
		"no size":           {with(torch, "WORLD_SIZE", ""), "RANK is 1, and WORLD_SIZE is not set: set it to the number of processes"},
		"no rank":           {environment{"WORLD_SIZE": "4", "MASTER_ADDR": "h"}, "WORLD_SIZE is 4, and no variable has this process's rank: set RANK"},
		"rank too large":    {with(torch, "RANK", "2"), "RANK is 2, and WORLD_SIZE is 2: ranks are 0 to 1"},
		"negative":          {with(torch, "RANK", "-1"), "RANK is -1"},
		"no number":         {with(torch, "WORLD_SIZE", "two"), `WORLD_SIZE is "two": want a number`},
		"no processes":      {with(torch, "WORLD_SIZE", "0"), "WORLD_SIZE is 0"},
		"local rank":        {with(torch, "LOCAL_RANK", "2"), "LOCAL_RANK is 2, and WORLD_SIZE is 2"},
		"local size":        {with(torch, "LOCAL_WORLD_SIZE", "1"), "LOCAL_RANK is 1, and LOCAL_WORLD_SIZE is 1"},
		"no address":        {with(torch, "MASTER_ADDR", ""), "MASTER_ADDR is not set: set it to the host of rank 0"},
		"port":              {with(torch, "MASTER_PORT", "70000"), "MASTER_PORT is 70000: want a port, 1 to 65535"},
		"store":             {with(torch, "GOPHERWARP_STORE", "host"), `GOPHERWARP_STORE is "host": want HOST:PORT`},
		"two sizes":         {environment{"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "WORLD_SIZE": "8", "SLURM_JOB_NODELIST": "n"}, "WORLD_SIZE is 8, and SLURM_NTASKS is 4: unset WORLD_SIZE"},
		"Slurm's list":      {environment{"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_JOB_NODELIST": "n[1-"}, `SLURM_JOB_NODELIST is "n[1-": `},
		"no list":           {environment{"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, "neither SLURM_STEP_NODELIST nor SLURM_JOB_NODELIST is set"},
		"Slurm without n":   {environment{"SLURM_PROCID": "1", "SLURM_JOB_NODELIST": "n"}, "SLURM_PROCID is 1, and SLURM_NTASKS is not set"},
		"mpirun, machines":  {environment{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "1"}, "MASTER_ADDR is not set: set it to the host of rank 0, by mpirun -x MASTER_ADDR=HOST"},
		"Kubernetes, size":  {environment{"JOB_COMPLETION_INDEX": "0", "MASTER_ADDR": "h"}, "JOB_COMPLETION_INDEX is 0, and WORLD_SIZE is not set"},
		"Kubernetes, index": {environment{"JOB_COMPLETION_INDEX": "3", "WORLD_SIZE": "3", "MASTER_ADDR": "h"}, "JOB_COMPLETION_INDEX is 3, and WORLD_SIZE is 3"},
	} {
		t.Run(name, func(t *testing.T) {
			if w, err := find(c.set.lookup); err == nil || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %+v, %v\nwant an error with %q", w, err, c.say)
			}
		})
	}
}

func TestFirstHost(t *testing.T) {
	for list, want := range map[string]string{
		"n1": "n1", "n1,n2": "n1", "n[1-3]": "n1", "n[03,07-09],m1": "n03", "a-b[5].dom": "a-b5.dom", "r[1-2]n[08-10],x": "r1n08", "n1,m[2-3]": "n1",
	} {
		if got, err := firstHost(list); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", list, got, err, want)
		}
	}
	for _, list := range []string{"", "n[1", "n[]", "n]1", ",n1", "n[[1]]", "n[-2]", "n[x]"} {
		if got, err := firstHost(list); err == nil {
			t.Errorf("%q: got %q, want an error", list, got)
		}
	}
}

func TestPart(t *testing.T) {
	for n, want := range map[int][]int{0: {0, 0, 0, 0}, 2: {0, 1, 2, 2}, 3: {0, 1, 2, 3}, 11: {0, 4, 8, 11}} {
		for i := range 3 {
			if begin, end := (World{Rank: i, Size: 3}).Part(n); begin != want[i] || end != want[i+1] {
				t.Errorf("of %d rank %d has %d to %d, want %d to %d", n, i, begin, end, want[i], want[i+1])
			}
		}
	}
}
