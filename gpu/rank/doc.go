// Package rank joins the processes of a program that runs on several machines, or several times on one: they find each other by the
// environment variables that torchrun, srun, mpirun, Kubernetes' indexed jobs and gopherwarp run --ranks set.
//
//	w, err := rank.FromEnvironment()
//	g, err := rank.Join(ctx, w)             // waits for the others
//	defer g.Close(ctx)
//	c, err := g.Communicator(ctx)           // this rank's device, and those of the others
//	err = gpu.AllReduce(c, gpu.ReduceSum, x) // x is this rank's buffer
//	sum := nd.AllReduce(c, gpu.ReduceSum, a)
//
// Without such variables the process is the only one, so that the same program runs alone.
//
// Rank 0 has a store, to which the others connect; processes of another job, which have another name (World.Job) or size, are refused.
// If a process ends without closing its group, all that the others wait for ends with an error. Data travel unencrypted: the network must be
// one that is trusted, as for torchrun and MPI.
//
// The files:
//
//	world.go         a process's rank, by environment variables
//	nodelist.go      Slurm's lists of hosts
//	message.go       what is sent between a process and the store
//	store.go         the store of rank 0
//	outbox.go        what the store has to send
//	round.go         what all ranks contribute to: barriers and collectives
//	group.go         a process's connection to the store
//	communicator.go  devices of several processes as a gpu.Communicator
//	peers.go         collectives of those that are not all GPUs, through the store
package rank
