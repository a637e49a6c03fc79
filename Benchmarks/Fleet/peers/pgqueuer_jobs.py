"""pgqueuer: it claims and completes in batches, and a coroutine runs each job."""
import asyncio

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.queries import Queries

ENTRYPOINT = "nothing"
BATCH = 100


async def fill(sizes):
    connection = await asyncpg.connect()
    queries = Queries.from_asyncpg_connection(connection)
    await queries.install()
    await queries.optimize_autovacuum()
    for size in sizes:
        await queries.enqueue([ENTRYPOINT] * size, [None] * size, [0] * size)
    await connection.close()


async def work(told):
    async with asyncpg.create_pool(min_size=5, max_size=20) as pool:
        queuer = PgQueuer.from_asyncpg_pool(pool)

        @queuer.entrypoint(ENTRYPOINT)
        async def nothing(job):
            pass

        running = asyncio.create_task(queuer.run(batch_size=BATCH))
        await told.wait()
        queuer.shutdown.set()
        await running
