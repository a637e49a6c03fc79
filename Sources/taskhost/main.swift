import CLI

CommandLineMain.run(CommandLine.arguments)
