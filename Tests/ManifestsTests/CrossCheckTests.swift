import Manifests
import Testing

@Suite struct CrossCheckTests {
    private static func manifest(_ path: String, _ identifier: String, _ tasks: String...) -> ManifestResult {
        manifest(path, identifier, tasks, kind: "processing")
    }

    private static func continued(_ path: String, _ identifier: String, _ tasks: String...) -> ManifestResult {
        manifest(path, identifier, tasks, kind: "continuedProcessing")
    }

    private static func manifest(
        _ path: String, _ identifier: String, _ tasks: [String], kind: String
    ) -> ManifestResult {
        let list = tasks.map { "\n\"\($0)\": {\"kind\": \"\(kind)\"}" }.joined(separator: ",")
        return ManifestText.decode(
            "{\"identifier\": \"\(identifier)\", \"library\": \"l\", \"tasks\": {\(list)}}", path: path)
    }

    @Test func manifestsOfTheirOwnDoNotConflict() {
        let results = [Self.manifest("a.json", "a.a", "a.a.x", "a.a.y"), Self.manifest("b.json", "a.b", "a.b.x")]
        #expect(CrossCheck.conflicts(among: results) == [])
        #expect(CrossCheck.conflicts(among: []) == [])
    }

    @Test func oneIdentifierInTwoManifestsIsToldOnce() {
        let results = [Self.manifest("a.json", "a.a", "a.a.x"), Self.manifest("b.json", "a.a", "a.a.x")]
        #expect(
            CrossCheck.conflicts(among: results).map(\.description) == [
                #"b.json:1:16: $.identifier: found "a.a", which a.json:1 has too; expected an identifier that no other manifest has"#
            ])
    }

    @Test func oneTaskOfTwoApplicationsIsTold() {
        let results = [
            Self.manifest("a.json", "a.a", "a.a.x", "a.a.shared"), Self.manifest("b.json", "a.b", "a.b.x"),
            Self.manifest("c.json", "a.c", "a.a.shared", "a.b.x"),
        ]
        #expect(
            CrossCheck.conflicts(among: results).map(\.description) == [
                #"c.json:2:1: $.tasks["a.a.shared"]: found "a.a.shared", which a.json:3 has too; expected a task identifier that no other application has"#,
                #"c.json:3:1: $.tasks["a.b.x"]: found "a.b.x", which b.json:2 has too; expected a task identifier that no other application has"#,
            ])
    }

    @Test func identifiersThatAnotherApplicationCoversAreTold() {
        let results = [
            Self.continued("a.json", "a.a", "a.a.*", "a.a.one"), Self.continued("b.json", "a.b", "a.a.two", "a.b.x"),
            Self.continued("c.json", "a.c", "a.b.*"), Self.continued("d.json", "a.d", "a.a.*", "a.ab.c"),
        ]
        #expect(
            CrossCheck.conflicts(among: results).map(\.description) == [
                #"b.json:2:1: $.tasks["a.a.two"]: found "a.a.two", which a.json:2 has too as "a.a.*"; expected a task identifier that no other application has"#,
                #"c.json:2:1: $.tasks["a.b.*"]: found "a.b.*", which b.json:3 has too as "a.b.x"; expected a task identifier that no other application has"#,
                #"d.json:2:1: $.tasks["a.a.*"]: found "a.a.*", which a.json:2 has too; expected a task identifier that no other application has"#,
            ])
    }

    @Test func aPatternStandsForOneFurtherPart() {
        let results = [
            Self.continued("a.json", "a.a", "a.a.*"), Self.continued("b.json", "a.b", "a.a.deep.*", "a.a.one.more"),
            Self.continued("c.json", "a.c", "a.a", "a.aa.b"),
        ]
        #expect(CrossCheck.conflicts(among: results) == [])
    }

    @Test func aManifestWithErrorsClaimsNothing() {
        let results = [ManifestText.decode("{", path: "a.json"), Self.manifest("b.json", "a.a", "a.a.x")]
        #expect(CrossCheck.conflicts(among: results) == [])
    }
}
