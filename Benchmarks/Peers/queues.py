"""Jobs that do nothing, for the queues in Python: queues.py NAME COUNT submits them. REDIS_URL names the server.

Workers import what they run from here: `nothing` for RQ, `huey`, `celery`.
"""
import os
import sys

SERVER = os.environ["REDIS_URL"]


def nothing():
    pass


if os.environ.get("PEER") == "huey":
    from huey import RedisHuey

    huey = RedisHuey("bench", url=SERVER, results=False)
    huey_nothing = huey.task()(nothing)

if os.environ.get("PEER") == "celery":
    from celery import Celery

    celery = Celery("queues", broker=SERVER)
    # A job counts as done when it has ended, and not when a worker has it.
    celery.conf.update(task_ignore_result=True, task_acks_late=True, worker_prefetch_multiplier=64)
    celery_nothing = celery.task(name="queues.nothing")(nothing)


def submit(name, count):
    if name == "huey":
        for _ in range(count):
            huey_nothing()
    elif name == "celery":
        with celery.producer_pool.acquire() as producer:
            for _ in range(count):
                celery_nothing.apply_async(producer=producer)
    else:
        from redis import Redis
        from rq import Queue

        queue = Queue(connection=Redis.from_url(SERVER))
        for sent in range(0, count, 64):
            queue.enqueue_many([Queue.prepare_data(nothing, result_ttl=0) for _ in range(min(64, count - sent))])


if __name__ == "__main__":
    import queues

    queues.submit(sys.argv[1], int(sys.argv[2]))
