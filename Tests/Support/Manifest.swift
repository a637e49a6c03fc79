package import Foundation

/// As much of a manifest as these tests look at.
package struct Manifest: Decodable {
    package struct Task: Decodable {
        package struct Budget: Decodable {
            package var wallClock: String?
            package var grace: String?
        }
        package enum Handler: Decodable {
            case symbol(String)
            case foreign

            package init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                self = (try? container.decode(String.self)).map(Handler.symbol) ?? .foreign
            }
        }

        package var kind: String
        package var handler: Handler?
        package var budget: Budget?
    }

    package var identifier: String
    package var library: String?
    package var tasks: [String: Task]

    package init(_ url: URL) throws {
        self = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url))
    }

    package var symbols: [String] {
        tasks.values.compactMap { if case .symbol(let name) = $0.handler { name } else { nil } }
    }

    /// Seconds of a duration such as `500ms` or `2s`.
    package static func seconds(_ duration: String) throws -> Double {
        for (unit, factor) in [("ms", 0.001), ("s", 1), ("m", 60)] where duration.hasSuffix(unit) {
            guard let number = Double(duration.dropLast(unit.count)) else { break }
            return number * factor
        }
        throw Problem("not a duration: \(duration)")
    }
}
