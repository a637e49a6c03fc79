import Worker

WorkerMain.run(CommandLine.arguments)
