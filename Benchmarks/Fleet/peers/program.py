"""A queue of a peer: PROGRAM NAME fill COUNT enqueues jobs that do nothing, PROGRAM NAME work runs them until SIGTERM.

NAME_jobs.py has both: `fill` with the sizes of batches, and `work` until an event. PGHOST, PGDATABASE and PGUSER name the database.
"""
import asyncio
import importlib
import signal
import sys

import uvloop

BATCH = 2000


async def work(jobs):
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    await jobs.work(told)


def main():
    name, verb, *count = sys.argv[1:]
    jobs = importlib.import_module(f"{name}_jobs")
    if verb == "fill":
        uvloop.run(jobs.fill([min(BATCH, int(count[0]) - first) for first in range(0, int(count[0]), BATCH)]))
    else:
        uvloop.run(work(jobs))


if __name__ == "__main__":
    main()
