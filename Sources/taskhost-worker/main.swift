import Worker
