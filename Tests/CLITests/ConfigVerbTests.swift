import Foundation
import JSON
import TestSupport
import Testing

/// The configuration that applies, and where each value comes from.
@Suite("taskhost config", .plainBuild)
struct ConfigVerbTests {
    struct Entry: Decodable {
        struct Value: Decodable {
            /// nil: it is none.
            var number: Double?

            init(from decoder: any Decoder) throws {
                number = try? decoder.singleValueContainer().decode(Double.self)
            }
        }
        var key: String
        var value: Value
        var text: String
        var source: String
        var place: String?
    }
    struct Answer: Decodable {
        var places: [Entry]
        var values: [Entry]
        subscript(key: String) -> Entry? { (places + values).first { $0.key == key } }
    }

    /// The keys that have no further ones below them.
    private static func leaves(_ schema: JSONValue, _ path: String) -> [String] {
        (schema["properties"]?.object ?? []).flatMap { member in
            let below = leaves(member.value, path + member.key + ".")
            return below.isEmpty ? [path + member.key] : below
        }
    }

    private func ask(_ words: [String], in folder: Folder) throws -> Answer {
        let tool = try Tool.run(["config", "--json"] + words, in: folder)
        #expect(tool.status == 0, "\(tool.errors)")
        return try JSONDecoder().decode(Answer.self, from: Data(tool.output.utf8))
    }

    @Test("has every key of the configuration once, with its default")
    func defaults() throws {
        let folder = try Folder()
        try folder.write("empty.json", "{}")
        let answer = try ask(["--config", "empty.json", "--state", "state"], in: folder)
        let schema = try JSONParser.parse(
            Array(Data(contentsOf: Places.root.appending(path: "Documentation/config.schema.json"))),
            maximumBytes: 1 << 20)
        let leaves = Self.leaves(schema, "").filter { $0 != "$schema" }
        #expect(leaves.count > 40)
        #expect(Set(answer.values.map(\.key)) == Set(leaves) && answer.values.count == leaves.count)
        for entry in answer.values {
            #expect(["default", "profile", "environment"].contains(entry.source), "\(entry)")
        }
        #expect(answer["concurrency"]?.text == "64" && answer["concurrency"]?.source == "default")
        #expect(answer["launch"]?.source == "profile" && answer["launch"]?.place == "modern")
        #expect(answer["scheduling.quota.cpuTime"]?.text == "none")
        #expect(answer["state"]?.source == "option" && answer["configuration"]?.text == "empty.json")
    }

    @Test("names the file with line and column, the option and the variable")
    func sources() throws {
        let folder = try Folder()
        try folder.write(
            "config/taskhost/config.json",
            "{\n  \"profile\": \"ios7\", \"idleWorker\": \"2s\",\n  \"retention\": { \"age\": \"7d\" }\n}")
        let path = folder.file("config").path
        let tool = try Tool.run(
            ["config", "--json", "--log-format", "json", "--profile", "ios6"], in: folder,
            environment: ["XDG_CONFIG_HOME": path, "XDG_STATE_HOME": path + "/state", "HOME": path])
        #expect(tool.status == 0, "\(tool.errors)")
        let answer = try JSONDecoder().decode(Answer.self, from: Data(tool.output.utf8))
        let file = "\(path)/taskhost/config.json"
        let age = try #require(answer["retention.age"])
        #expect(age.text == "7d" && age.source == "file" && age.place == "\(file):3:18")
        #expect(age.value.number == 604_800)
        #expect(answer["idleWorker"]?.place == "\(file):2:22" && answer["idleWorker"]?.text == "2s")
        #expect(answer["retention.count"]?.source == "default")
        #expect(answer["profile"]?.text == "ios6" && answer["profile"]?.place == "--profile")
        #expect(answer["limits.backgroundTime"]?.text == "10m" && answer["limits.backgroundTime"]?.place == "ios6")
        #expect(answer["logFormat"]?.text == "json" && answer["logFormat"]?.source == "option")
        #expect(answer["configuration"]?.place == "XDG_CONFIG_HOME" && answer["configuration"]?.text == file)
    }

    @Test("refuses a bad file as the host does")
    func bad() throws {
        let folder = try Folder()
        try folder.write("bad.json", "{\"concurency\": 1}")
        let tool = try Tool.run(["config", "--config", "bad.json"], in: folder)
        #expect(tool.status == 65 && tool.output.isEmpty && tool.errors.contains("bad.json:1:2"), "\(tool.errors)")
    }
}
