import Control
import Foundation
import Host
import JSON
import Manifests
import Record
import Setting
import TaskModel
import TestSupport
import Testing

/// Words that programs read: they may become more, and none may go.
@Suite("Words that others read")
struct OutsideWordsTests {
    private static let list = Places.fixtures.appending(path: "outside-words.txt")
    private static let root = Places.fixtures.appending(path: "../..")

    /// What is there now, as lines of a class and a word.
    private func current() throws -> Set<String> {
        var words: Set<String> = []
        func add(_ kind: String, _ some: some Sequence<String>) { words.formUnion(some.map { "\(kind) \($0)" }) }
        add("outcome", Outcome.allCases.map { "\($0.name) \($0.exitStatus)" })
        add("reason", Reason.allCases.map(\.name))
        add("gate", Gate.allCases.map(\.name))
        add("kind", TaskKind.allCases.map(\.name))
        add("origin", RequestOrigin.allCases.map(\.name))
        add("state", ApplicationState.allCases.map(\.name))
        add("condition", ConditionName.ofMachine.flatMap { name in name.values.map { "\(name.word)=\($0)" } })
        add("route", Route.all.map { "\($0.method.rawValue) \($0.pattern)" })
        add("operation", Route.all.map(\.name))
        try addDocuments(add)
        add(
            "configuration",
            ConfigurationKeys.root + ConfigurationKeys.limits + ConfigurationKeys.users + ConfigurationKeys.retention
                + ConfigurationKeys.scheduling + ConfigurationKeys.transfers + ConfigurationKeys.window
                + ConfigurationKeys.quota + ConfigurationKeys.metrics + ConfigurationKeys.telemetry
                + ConfigurationKeys.fleet)
        add("log", LogField.allCases.map { "\($0.name) \($0.journalName)" })
        add("log", LogMessage.allCases.map { "\($0.name) \($0.rawValue)" })
        try addEvents(add)
        try addVerbs(add)
        add("number", Reason.allCases.map { "reason \($0.name) \($0.rawValue)" })
        add("number", Gate.allCases.map { "gate \($0.name) \($0.rawValue)" })
        add("exit", try ExitStatusNames.all().map { "\($0.key) \($0.value)" })
        for header in ["taskhost.h", "taskhost_scheduling.h", "taskhost_transfer.h"] {
            let lines = try PublicHeader(header).lines
            #expect(lines.count > 20, "\(header)")
            add("header", lines)
        }
        try addFields(add)
        return words
    }

    /// Names and words of the schemas of the API and of manifests.
    private func addDocuments(_ add: (String, [String]) -> Void) throws {
        var keys: Set<String> = []
        var values: Set<String> = []
        func walk(_ value: JSONValue) {
            for part in value.array ?? [] { walk(part) }
            for member in value.object ?? [] {
                if member.key == "properties" { keys.formUnion(member.value.object?.map(\.key) ?? []) }
                if member.key == "enum" { values.formUnion(member.value.array?.compactMap(\.string) ?? []) }
                if member.key == "parameters" {
                    keys.formUnion((member.value.array ?? []).compactMap { $0["name"]?.string })
                }
                walk(member.value)
            }
        }
        var reply: ControlReply?
        let router = Router(version: "1")
        for route in Route.all where route.name != Route.openAPI.name {
            if case .events = route.reply {
                router.addStream(route) { _, stream in stream.finish() }
            } else {
                router.add(route) { exchange in exchange.reply([:]) }
            }
        }
        router.handle(ControlRequest(.get, Route.openAPI.pattern.description)) { reply = $0 }
        walk(try JSONParser.parse(try #require(reply).body, maximumBytes: 1 << 22))
        add("key", keys.sorted())
        add("value", values.sorted())
        (keys, values) = ([], [])
        walk(
            try JSONParser.parse(
                Array(Data(contentsOf: Self.root.appending(path: "manifests/schema.json"))), maximumBytes: 1 << 22))
        add("manifest", keys.sorted())
        add("manifest-value", values.sorted())
    }

    /// Names of events stand where they are sent.
    private func addEvents(_ add: (String, [String]) -> Void) throws {
        let source = try String(
            contentsOf: Self.root.appending(path: "Sources/Serving/Control/EventHub.swift"), encoding: .utf8)
        let names = source.matches(of: /"([a-z]+\.[a-zA-Z]+)"/).map { String($0.1) }
        #expect(names.count > 8)
        add("event", names)
        add("journal", JournalKind.allCases.map(\.name))
    }

    /// Header fields of HTTP that the host sends, and that it reads of what a client sends.
    private func addFields(_ add: (String, [String]) -> Void) throws {
        let folder = Self.root.appending(path: "Sources/Control")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var fields: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            let sent = source.matches(of: /(?:add_response_header\(response, |headers: \[)"([A-Za-z-]+)"/).map {
                String($0.1)
            }
            let written = source.matches(of: /\\r\\n([A-Z][A-Za-z-]+):\s/).map { String($0.1) }
            fields.formUnion((sent + written).map { "reply \($0)" })
            guard file.lastPathComponent == "RequestHeader.swift" else { continue }
            fields.formUnion(source.matches(of: /case "([a-z-]+)":/).map { "request \($0.1)" })
        }
        #expect(fields.count > 8)
        add("field", fields.sorted())
    }

    private func addVerbs(_ add: (String, [String]) -> Void) throws {
        func help(_ words: [String]) throws -> String {
            try Program(Places.products.appending(path: "taskhost").path, words + ["--help"])
                .finish().output
        }
        let overview = try help([]).split(separator: "\n\n")
        let verbs = try #require(overview.first { $0.contains("\n  run ") || $0.hasPrefix("  run ") })
            .split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(verbs.count > 20)
        for verb in verbs + ["lift", "deny", "allow"] {
            let text = try help([verb])
            let options = text.matches(of: /\n  (--[a-z-]+)/).map { String($0.1) }
            #expect(options.contains("--help"), "\(verb)")
            add("verb", [verb] + options.map { "\(verb) \($0)" })
            add("subverb", subverbs(text))
        }
    }

    /// The words that follow a verb in its lines of usage, such as `app refresh off`.
    private func subverbs(_ help: String) -> [String] {
        let usage = help.split(separator: "\n\n").first ?? ""
        return usage.split(separator: "\n").flatMap { line -> [String] in
            let words = line.replacing("usage: ", with: "").split(separator: " ").dropFirst()
            guard let verb = words.first else { return [] }
            // `pause ID… | resume ID…` are two; `on|off` is one of two words.
            return words.dropFirst().split(separator: "|").flatMap { alternative in
                let own = alternative.prefix { $0.allSatisfy { $0.isLowercase || $0 == "|" } }
                guard !own.isEmpty else { return [String]() }
                return own.reduce([String(verb)]) { known, word in
                    known.flatMap { start in word.split(separator: "|").map { "\(start) \($0)" } }
                }
            }
        }
    }

    @Test("are all those that were there, and new ones are put on the list")
    func kept() throws {
        let now = try current()
        if ProcessInfo.processInfo.environment["TASKHOST_WRITE_WORDS"] != nil {
            let old = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(String.init)
            // It only adds: a removed word is still missed.
            try (now.union(old).sorted().joined(separator: "\n") + "\n")
                .write(to: Self.list, atomically: true, encoding: .utf8)
        }
        let known = Set(try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(String.init))
        let gone = known.subtracting(now).sorted()
        #expect(gone.isEmpty, "others may read these; keep the old form beside the new one")
        let new = now.subtracting(known).sorted()
        #expect(
            new.isEmpty, "new words; when they are meant to stay, run this test once with TASKHOST_WRITE_WORDS=1")
    }
}
