import Foundation
import JSON
import Manifests
import Testing

/// The schema and the decoder may not drift apart.
@Suite struct SchemaTests {
    private static func schema() throws -> JSONValue {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent("manifests/schema.json"))
        return try JSONParser.parse(Array(data), maximumBytes: 1 << 20)
    }

    @Test(
        "The schema knows the decoder's keys",
        arguments: [
            ("task", ManifestKeys.task), ("foreignFunction", ManifestKeys.foreignFunction),
            ("command", ManifestKeys.command), ("payloadArgument", ManifestKeys.payloadArgument),
            ("callbackArgument", ManifestKeys.callbackArgument),
            ("budget", ManifestKeys.budget), ("schedule", ManifestKeys.schedule), ("retry", ManifestKeys.retry),
            ("requires", ManifestKeys.requires), ("permissions", ManifestKeys.permissions),
            ("transfers", ManifestKeys.transfers), ("trust", ManifestKeys.trust), ("renew", ManifestKeys.renew),
            ("webhook", ManifestKeys.webhook), ("answer", ManifestKeys.answer),
        ])
    func definitions(_ name: String, _ keys: [String]) throws {
        let definition = try #require(try Self.schema()["$defs"]?[name])
        #expect(definition["properties"]?.object?.map(\.key) == keys)
        #expect(definition["additionalProperties"]?.bool == false)
    }

    /// Whether a string fits what a schema says of it.
    private static func fits(_ text: String, _ schema: JSONValue) throws -> Bool {
        let limit = try #require(schema["maxLength"]?.integer)
        let pattern = try Regex(try #require(schema["pattern"]?.string))
        let excluded = try schema["not"]?["pattern"]?.string.map { try Regex($0) }
        return text.unicodeScalars.count <= limit && text.firstMatch(of: pattern) != nil
            && excluded.flatMap { text.firstMatch(of: $0) } == nil
    }

    @Test func identifiersFollowOneRule() throws {
        let definitions = try #require(try Self.schema()["$defs"])
        let (plain, task) = (definitions["identifier"], definitions["taskIdentifier"])
        for text in SyntaxTests.identifiers {
            #expect(try Self.fits(text, try #require(plain)) && Self.fits(text, try #require(task)), "\(text)")
        }
        for text in SyntaxTests.others {
            #expect(try !Self.fits(text, try #require(plain)), "\(text)")
            let isTask = (try? IdentifierSyntax.check(text, allowingWildcard: true)) != nil
            #expect(try Self.fits(text, try #require(task)) == isTask, "\(text)")
        }
    }

    @Test func theRootKnowsTheDecodersKeys() throws {
        let schema = try Self.schema()
        #expect(schema["properties"]?.object?.map(\.key) == ManifestKeys.application)
        #expect(schema["additionalProperties"]?.bool == false)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func everyObjectOfTheSchemaIsKnownToTheDecoder() throws {
        let definitions = try #require(try Self.schema()["$defs"]?.object)
        let objects = definitions.filter { $0.value["properties"] != nil }.map(\.key)
        #expect(
            objects.sorted() == [
                "answer", "budget", "callbackArgument", "command", "foreignFunction", "payloadArgument", "permissions",
                "renew",
                "requires", "retry", "schedule", "task", "transfers", "trust", "webhook",
            ])
    }

    @Test func theWordsOfTheSchemaAreTheDecoders() throws {
        let schema = try Self.schema()
        let modes = schema["properties"]?["backgroundModes"]?["items"]?["enum"]?.array?.compactMap(\.string)
        #expect(modes == ManifestKeys.backgroundModes)
        let kinds = schema["$defs"]?["task"]?["properties"]?["kind"]?["enum"]?.array?.compactMap(\.string)
        for kind in try #require(kinds) {
            #expect(ManifestText.task(#""kind": "\#(kind)""#) != nil)
        }
        #expect(kinds?.count == 4)
    }
}
