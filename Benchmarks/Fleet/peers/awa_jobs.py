"""awa: threads beside Python claim and complete in batches, and a coroutine runs each job."""
from dataclasses import dataclass

import awa

DATABASE = "postgresql:///"
QUEUE = "nothing"
# A job that does nothing holds its place until its batch is complete on the disk.
PLACES = 2048


@dataclass
class Nothing:
    pass


async def fill(sizes):
    async with awa.AsyncClient(DATABASE) as client:
        await client.migrate()
        # Otherwise the first worker does it, and there is nothing to copy into before.
        await client.install_queue_storage()
        for size in sizes:
            await client.enqueue_many_copy([Nothing()] * size, queue=QUEUE)


async def work(told):
    async with awa.AsyncClient(DATABASE, max_connections=20) as client:
        @client.task(Nothing, queue=QUEUE)
        async def nothing(job):
            pass

        await client.start([(QUEUE, PLACES)])
        await told.wait()
        await client.shutdown()
