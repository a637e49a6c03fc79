"""procrastinate: it claims one job after the other, a coroutine runs each, and each is completed by itself."""
import asyncio

import procrastinate

CONCURRENCY = 4
# A connection for each job at work and one for the claims.
app = procrastinate.App(connector=procrastinate.PsycopgConnector(min_size=CONCURRENCY + 1, max_size=CONCURRENCY + 1))


@app.task
async def nothing():
    pass


async def fill(sizes):
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        for size in sizes:
            await nothing.batch_defer_async(*[{}] * size)


async def work(told):
    async with app.open_async():
        worker = asyncio.create_task(app.run_worker_async(concurrency=CONCURRENCY, install_signal_handlers=False))
        await told.wait()
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
