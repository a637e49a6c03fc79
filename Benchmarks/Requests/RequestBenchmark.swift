import Glibc

/// Measures the scheduler and the store with many pending requests, and prints one JSON object.
@main
struct RequestBenchmark {
    private static let usage = """
        usage: taskhost-bench-requests events   [--requests N] [--cycles N]
               taskhost-bench-requests turns    [--requests N] [--cycles N] --database FILE
               taskhost-bench-requests memory   [--requests N]
               taskhost-bench-requests start-up [--requests N] --database FILE
               taskhost-bench-requests submits  [--requests N] [--submissions N] [--batch N] --database FILE
               taskhost-bench-requests latency  [--requests N] --database FILE
        """

    static func main() throws {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(usage)
            exit(64)
        }
        switch options.measurement {
        case .events: print(try EventMeasurement.document(options, isDurable: false))
        case .turns: print(try EventMeasurement.document(options, isDurable: true))
        case .memory: print(try MemoryMeasurement.document(options))
        case .startUp: print(try StartMeasurement.document(options))
        case .submits: print(try SubmitMeasurement.document(options))
        case .latency: print(try LatencyMeasurement.document(options))
        }
    }
}

/// What the command line says.
struct Options {
    enum Measurement: String {
        case events, turns, memory, submits, latency
        case startUp = "start-up"
    }

    var measurement = Measurement.events
    var requests = 1000
    /// Of each kind of event; a cycle has two.
    var cycles = 10_000
    /// How many of the requests are submitted. nil: all.
    var submissions: Int?
    /// Submissions in one commit.
    var batch = 1
    var database = ""

    /// nil: that is no command line.
    init?(_ arguments: [String]) {
        guard let first = arguments.first, let measurement = Measurement(rawValue: first) else { return nil }
        self.measurement = measurement
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            if name == "--database" {
                database = value
                continue
            }
            guard let number = Int(value), (1...10_000_000).contains(number) else { return nil }
            switch name {
            case "--requests": requests = number
            case "--cycles": cycles = number
            case "--submissions": submissions = number
            case "--batch": batch = number
            default: return nil
            }
        }
        let isDurable = measurement != .events && measurement != .memory
        guard isDurable == !database.isEmpty, requests >= 100, submissions ?? 1 <= requests else { return nil }
    }
}
