import JSON
import Store
import TaskModel

/// `taskhost logs RUN`
enum LogsVerb: Verb {
    static let name = "logs"
    static let summary = "what one run printed and logged"
    static let help = """
        usage: taskhost logs RUN

        Prints what a run wrote to standard output, standard error and its log, as far as it was kept.
        """
    static let options: [Option] = [.state, .json]

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let history = try Record.open(arguments)
        let run = try Record.run(arguments, of: name, in: history)
        let (bytes, dropped) = try Record.reading { () throws(StoreError) in
            let output = try history.output(of: run.id)
            return (output.bytes, output.dropped)
        }
        if arguments.isJSON {
            terminal.print(
                .object([
                    "run": .string(run.id.description),
                    "output": .string(String(decoding: bytes, as: UTF8.self)),
                    "dropped": JSONOutput(dropped as UInt64?),
                ]))
            return ExitStatus.success
        }
        terminal.print(raw: bytes)
        if bytes.last.map({ $0 != 0x0A }) ?? false { terminal.print("") }
        if dropped > 0 { terminal.note("\(ByteCount(bytes: dropped)) more were not kept") }
        return ExitStatus.success
    }
}
