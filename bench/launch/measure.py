"""Times launches in the way that launch.cu describes, for the three others."""

import statistics
import time

BATCH = 500


def measure(name, launch, sync, batches=400):
    """Prints a line like launch.cu's: without waiting, waiting for each, and until all are done."""

    def median_ns(batches, one, end):
        times = []
        for _ in range(batches):
            sync()
            start = time.perf_counter_ns()
            for _ in range(BATCH):
                one()
            end()
            times.append((time.perf_counter_ns() - start) / BATCH)
        return statistics.median(times)

    def launch_and_sync():
        launch()
        sync()

    def nothing():
        pass

    median_ns(max(batches // 20, 5), launch, nothing)  # warm-up
    print(
        f"{name:<20} {median_ns(batches, launch, nothing):7.0f} ns/launch"
        f"  {median_ns(batches // 4, launch_and_sync, nothing):7.0f} ns/launch+sync"
        f"  {median_ns(batches, launch, sync):7.0f} ns/launch until done"
    )
