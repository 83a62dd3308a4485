package ranks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The programs under test.
var gopherwarp, kmeans string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "gopherwarp-ranks-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		programs := map[string]*string{"../../cmd/gopherwarp": &gopherwarp, "./kmeans": &kmeans}
		if gopherwarp = os.Getenv("GOPHERWARP_TEST_PROGRAM"); gopherwarp != "" {
			delete(programs, "../../cmd/gopherwarp")
		}
		for source, to := range programs {
			*to = filepath.Join(dir, filepath.Base(source))
			if out, err := exec.Command("go", "build", "-o", *to, source).CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
				return 1
			}
		}
		if os.Getenv("GOPHERWARP_DEVICE") == "" {
			os.Setenv("GOPHERWARP_DEVICE", "sim")
		}
		return m.Run()
	}())
}

// result is what a command did.
type result struct {
	status      int
	out, errors string
}

// run runs a command with variables beside those of the test.
func run(t *testing.T, env []string, argv ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && (!failed || ctx.Err() != nil) {
		t.Errorf("%q: %v, %v\n%s", argv, err, ctx.Err(), &errs)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// together runs commands at the same time.
func together(n int, f func(i int) result) []result {
	list := make([]result, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { list[i] = f(i) })
	}
	wg.Wait()
	return list
}

// freePort returns a port of this machine at which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// wantStatus checks how a command has ended, and that its output has texts.
func wantStatus(t *testing.T, r result, status int, say ...string) {
	t.Helper()
	for _, text := range append([]string{""}, say...) {
		if r.status != status || !strings.Contains(r.errors, text) {
			t.Errorf("status %d, want %d with %q\n%s%s", r.status, status, text, r.out, r.errors)
		}
	}
}

// reference returns the centroids that command kmeans prints, computed by loops.
func reference() []float64 {
	const points, clusters, dimensions, rounds = 1000, 4, 3, 12
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, points*dimensions)
	for i := range x {
		x[i] = float64(random.IntN(4096)+2048*(i/dimensions%clusters+i%dimensions)) / 1024
	}
	c := append([]float64(nil), x[:clusters*dimensions]...)
	for range rounds {
		sums, counts := make([]float64, len(c)), make([]float64, clusters)
		for p := range points {
			best, least := 0, math.Inf(1)
			for k := range clusters {
				far := 0.0
				for d := range dimensions {
					by := x[p*dimensions+d] - c[k*dimensions+d]
					far += by * by
				}
				if far < least {
					best, least = k, far
				}
			}
			counts[best]++
			for d := range dimensions {
				sums[best*dimensions+d] += x[p*dimensions+d]
			}
		}
		for i := range c {
			c[i] = sums[i] / max(counts[i/dimensions], 1)
		}
	}
	return c
}

// wantCentroids checks what rank 0 has printed, behind a prefix.
func wantCentroids(t *testing.T, r result, prefix string) {
	t.Helper()
	if want := prefix + fmt.Sprintln(reference()); r.status != 0 || r.out != want {
		t.Errorf("status %d: got %s\nwant %s\n%s", r.status, r.out, want, r.errors)
	}
}

func TestKMeans(t *testing.T) {
	wantCentroids(t, run(t, nil, kmeans), "")
	for _, n := range []int{1, 2, 3, 5} {
		prefix := "[0] "
		if n == 1 {
			prefix = ""
		}
		wantCentroids(t, run(t, nil, gopherwarp, "run", "--ranks", strconv.Itoa(n), kmeans, "-rounds", "12"), prefix)
	}
	// The folder of the program, which is built.
	wantCentroids(t, run(t, nil, gopherwarp, "run", "--ranks=2", "kmeans"), "[0] ")
}

// TestLaunchers sets the variables that launchers set, for three ranks.
func TestLaunchers(t *testing.T) {
	for name, variables := range map[string][]string{
		"torchrun":   {"RANK=%d", "WORLD_SIZE=3", "LOCAL_RANK=%[1]d", "MASTER_ADDR=127.0.0.1", "MASTER_PORT=%[2]s"},
		"Open MPI":   {"OMPI_COMM_WORLD_RANK=%d", "OMPI_COMM_WORLD_SIZE=3", "OMPI_COMM_WORLD_LOCAL_RANK=%[1]d", "OMPI_COMM_WORLD_LOCAL_SIZE=3", "MASTER_PORT=%[2]s"},
		"MPICH":      {"PMI_RANK=%d", "PMI_SIZE=3", "MPI_LOCALRANKID=0", "MASTER_ADDR=localhost", "MASTER_PORT=%[2]s"},
		"Slurm":      {"SLURM_PROCID=%d", "SLURM_NTASKS=3", "SLURM_LOCALID=%[1]d", "SLURM_JOB_ID=5", "SLURM_STEP_ID=0", "SLURM_STEP_NODELIST=localhost,localhost[2-3]", "MASTER_PORT=%[2]s"},
		"Kubernetes": {"JOB_COMPLETION_INDEX=%d", "WORLD_SIZE=3", "MASTER_ADDR=localhost", "MASTER_PORT=%[2]s"},
	} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			list := together(3, func(i int) result {
				var env []string
				for _, v := range variables {
					if strings.Contains(v, "%") {
						v, _, _ = strings.Cut(fmt.Sprintf(v+"\x00%[1]d%[2]s", i, port), "\x00")
					}
					env = append(env, v)
				}
				return run(t, env, kmeans)
			})
			wantCentroids(t, list[0], "")
			for i, r := range list {
				wantStatus(t, r, 0, fmt.Sprintf("rank %d of 3 by %q", i, name))
			}
		})
	}
}

// one runs a rank of a job as on a machine of its own.
func one(t *testing.T, rank, world int, port, job string, args ...string) result {
	t.Helper()
	flags := []string{gopherwarp, "run", "--rank", strconv.Itoa(rank), "--world", strconv.Itoa(world), "--store", "localhost:" + port, "--job", job, kmeans}
	return run(t, nil, append(flags, args...)...)
}

func TestLateRank(t *testing.T) {
	for late := range 3 {
		port := freePort(t)
		list := together(3, func(i int) result { return one(t, i, 3, port, "late", "-late", strconv.Itoa(late)) })
		wantCentroids(t, list[0], "")
	}
}

// TestKilledRank kills a rank: the others say so, and end.
func TestKilledRank(t *testing.T) {
	for killed := range 3 {
		port := freePort(t)
		list := together(3, func(i int) result { return one(t, i, 3, port, "killed", "-killed", strconv.Itoa(killed)) })
		for i, r := range list {
			if i == killed {
				wantStatus(t, r, 128+9)
				continue
			}
			wantStatus(t, r, 1, "all-reduce: rank "+strconv.Itoa(killed), "has ended")
		}
		wantStatus(t, run(t, nil, gopherwarp, "run", "--ranks", "3", kmeans, "-killed", strconv.Itoa(killed)), 128+9, fmt.Sprintf("gopherwarp: rank %d was killed", killed))
	}
}

func TestMissingRank(t *testing.T) {
	port := freePort(t)
	for i, r := range together(2, func(i int) result { return one(t, i, 3, port, "missing", "-limit", "5s") }) {
		wantStatus(t, r, 1, fmt.Sprintf("as rank %d of 3", i), "rank 2 has not joined")
	}
}

func TestWrongSize(t *testing.T) {
	port := freePort(t)
	list := together(3, func(i int) result {
		if i == 2 {
			return one(t, 2, 4, port, "size")
		}
		return one(t, i, 3, port, "size", "-limit", "5s")
	})
	wantStatus(t, list[0], 1, "rank 2 has not joined", "rank 2 says that there are 4 ranks, rank 0 that there are 3")
	wantStatus(t, list[2], 1, "rank 2 says that there are 4 ranks, rank 0 that there are 3: set the number of processes")
}

// TestSecondJob starts a second job at the first one's store. The first one goes on.
func TestSecondJob(t *testing.T) {
	port, after := freePort(t), filepath.Join(t.TempDir(), "after")
	done := make(chan []result)
	go func() {
		done <- together(3, func(i int) result { return one(t, i, 3, port, "first", "-late", "2", "-until", after) })
	}()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		c, err := net.Dial("tcp", "localhost:"+port)
		if err == nil {
			c.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	list := together(3, func(i int) result { return one(t, i, 3, port, "second", "-limit", "5s") })
	if err := os.WriteFile(after, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, list[0], 1, "another process listens there, maybe rank 0 of another job: set MASTER_PORT")
	wantStatus(t, list[1], 1, "the store is of another job")
	wantStatus(t, list[2], 1, "the store is of another job")
	wantCentroids(t, (<-done)[0], "")
}

// TestGPUs has a GPU for each rank, which NCCL connects.
func TestGPUs(t *testing.T) {
	list := run(t, nil, gopherwarp, "device", "--list")
	gpus := strings.Count(list.out, "cuda:")
	if gpus < 2 {
		t.Skip("SKIPPED: there are no two GPUs; the test needs NCCL, too: pip install nvidia-nccl-cu13")
	}
	gpus = min(gpus, 4)
	wantCentroids(t, run(t, nil, gopherwarp, "run", "--device", "auto", "--ranks", strconv.Itoa(gpus), kmeans), "[0] ")
	r := run(t, nil, gopherwarp, "run", "--device", "auto", "--ranks", strconv.Itoa(gpus), kmeans, "-killed", "1")
	wantStatus(t, r, 128+9, "gopherwarp: rank 1 was killed")
}

// TestMPI runs the program by mpirun.
func TestMPI(t *testing.T) {
	if _, err := exec.LookPath("mpirun"); err != nil {
		t.Skip("SKIPPED: there is no mpirun: install openmpi-bin")
	}
	env := []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1"}
	r := run(t, env, "mpirun", "-n", "3", kmeans)
	wantCentroids(t, r, "")
	wantStatus(t, r, 0, `rank 2 of 3 by "Open MPI"`)
	if r := run(t, env, "mpirun", "-n", "3", kmeans, "-killed", "1"); r.status == 0 {
		t.Errorf("a killed rank: status 0\n%s", r.errors)
	}
}

// TestTorchrun runs the program by torchrun.
func TestTorchrun(t *testing.T) {
	if err := exec.Command("python3", "-c", "import torch.distributed.run").Run(); err != nil {
		t.Skip("SKIPPED: python3 has no torch: pip install torch")
	}
	wantCentroids(t, run(t, nil, "python3", "-m", "torch.distributed.run", "--nproc-per-node=3", "--master-port="+freePort(t), "--no-python", kmeans), "")
}
