import Control
import JSON

/// The document that comes with a request about manifests.
struct ManifestBody {
    private let document: JSONValue

    init(_ bytes: [UInt8], most: Int) throws(Problem) {
        do throws(JSONError) {
            document = try JSONParser.parse(bytes, maximumBytes: most)
        } catch {
            throw .badRequest([.init(path: "$", found: error.found, expected: error.expected, hint: error.hint)])
        }
    }

    func text(_ key: String) throws(Problem) -> String {
        guard let text = document[key]?.string else { throw fault(key, "a text") }
        return text
    }

    /// nil: it is null or missing.
    func optionalText(_ key: String) throws(Problem) -> String? {
        switch document[key]?.content {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw fault(key, "a text or null")
        }
    }

    func job() throws(Problem) -> ProposedJob {
        guard let words = document["command"]?.array, !words.isEmpty else { throw fault("command", "words") }
        let texts = words.compactMap(\.string)
        guard texts.count == words.count else { throw fault("command", "texts alone") }
        return ProposedJob(
            identifier: try text("identifier"), command: texts, schedule: try optionalText("schedule"))
    }

    private func fault(_ key: String, _ expected: String) -> Problem {
        let found = document[key].map { JSONWriter.excerpt($0.compactText) } ?? "nothing"
        return .badRequest([.init(path: "$.\(key)", found: found, expected: expected)])
    }
}
