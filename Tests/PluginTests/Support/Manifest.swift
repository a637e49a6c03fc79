import Foundation

/// As much of a manifest as these tests look at.
struct Manifest: Decodable {
    struct Task: Decodable {
        struct Budget: Decodable {
            var wallClock: String?
            var grace: String?
        }
        enum Handler: Decodable {
            case symbol(String)
            case foreign

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = (try? container.decode(String.self)).map(Handler.symbol) ?? .foreign
            }
        }

        var kind: String
        var handler: Handler?
        var budget: Budget?
    }

    var identifier: String
    var library: String?
    var tasks: [String: Task]

    init(_ url: URL) throws {
        self = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url))
    }

    var symbols: [String] {
        tasks.values.compactMap { if case .symbol(let name) = $0.handler { name } else { nil } }
    }

    /// Seconds of a duration such as `500ms` or `2s`.
    static func seconds(_ duration: String) throws -> Double {
        for (unit, factor) in [("ms", 0.001), ("s", 1), ("m", 60)] where duration.hasSuffix(unit) {
            guard let number = Double(duration.dropLast(unit.count)) else { break }
            return number * factor
        }
        throw Problem("not a duration: \(duration)")
    }
}
