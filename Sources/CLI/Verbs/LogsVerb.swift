import JSON
import TaskModel

/// `taskhost logs RUN | ID`
enum LogsVerb: Verb {
    static let name = "logs"
    static let summary = "the output and log of one run"
    static let help = """
        usage: taskhost logs RUN | ID

        Prints the part of a run's standard output, standard error and log that the host kept. The output of its process
        during the launch comes first. RUN is an id, or its first 8 characters or more; ID is a task, and means its last
        run.
        """
    static let options: [Option] = [.state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let record = try RecordAccess.open(arguments)
        let run = try RecordAccess.run(arguments, of: name, in: record)
        let bytes = try record.output(of: run.record.id)
        if arguments.isJSON {
            terminal.print(
                .object([
                    "run": .string(run.record.id.description),
                    "output": .string(String(decoding: bytes, as: UTF8.self)),
                    "dropped": JSONOutput(run.dropped as UInt64?),
                ]))
            return ExitStatus.success
        }
        terminal.print(raw: bytes)
        if bytes.last.map({ $0 != 0x0A }) ?? false { terminal.print("") }
        if run.dropped > 0 { terminal.note("\(ByteCount(bytes: run.dropped)) more were not kept") }
        return ExitStatus.success
    }
}
