import Transfer

TransferMain.run(CommandLine.arguments)
