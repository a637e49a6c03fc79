import Foundation

/// What the command line says.
struct Options {
    var binaries = ".build/release"
    var references = ".build/bench"
    var plugins = ".build/bench/plugins"
    var thresholds = "Benchmarks/thresholds.json"
    /// Empty: nothing is written.
    var results = ""
    /// A Markdown file to put the table into, between `<!-- table -->` and `<!-- /table -->`. Empty: none.
    var readme = ""
    var rounds = 5
    /// Multiplies the number of runs of every measurement.
    var scale = 1.0
    /// Empty: all rows.
    var only: Set<String> = []
    /// Time ratios count for the exit status as well.
    var strict = false
    /// Leave taskhost out: what the machine itself can do.
    var referencesOnly = false

    static let usage = """
        usage: taskhost-bench [--binaries DIR] [--references DIR] [--plugins DIR] [--thresholds FILE] [--results FILE]
                              [--readme FILE] [--rounds N] [--scale FACTOR] [--only ROW[,ROW…]] [--strict] [--references-only]
        rows: \(BenchmarkRow.all.map(\.name).joined(separator: " "))
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of name: String) throws -> String {
            guard let value = rest.popFirst() else { throw BenchmarkError.usage("\(name) needs a value") }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--binaries": binaries = try value(of: word)
            case "--references": references = try value(of: word)
            case "--plugins": plugins = try value(of: word)
            case "--thresholds": thresholds = try value(of: word)
            case "--results": results = try value(of: word)
            case "--readme": readme = try value(of: word)
            case "--only": only = Set(try value(of: word).split(separator: ",").map(String.init))
            case "--strict": strict = true
            case "--references-only": referencesOnly = true
            case "--rounds":
                guard let number = Int(try value(of: word)), (1...100).contains(number) else {
                    throw BenchmarkError.usage("--rounds is a number from 1 to 100")
                }
                rounds = number
            case "--scale":
                guard let number = Double(try value(of: word)), number > 0, number <= 100 else {
                    throw BenchmarkError.usage("--scale is a number above 0, at most 100")
                }
                scale = number
            default: throw BenchmarkError.usage("\(word) is no option")
            }
        }
        let unknown = only.subtracting(BenchmarkRow.all.map(\.name))
        guard unknown.isEmpty else {
            throw BenchmarkError.usage("there is no row \(unknown.sorted().joined(separator: ", "))")
        }
    }

    /// `count` runs, more or fewer as `--scale` says.
    func runs(_ count: Int) -> Int { max(10, Int(Double(count) * scale)) }
}

/// Why a benchmark has no result.
enum BenchmarkError: Error {
    case usage(String)
    case failed(String)

    static func sentence(of error: any Error) -> String {
        switch error {
        case BenchmarkError.usage(let text), BenchmarkError.failed(let text): text
        default: "\(error)"
        }
    }
}
