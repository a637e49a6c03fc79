import TaskModel
import Testing

@Suite("A pattern of identifiers")
struct IdentifierPatternTests {
    @Test(
        "stands for every identifier with exactly one further part in place of its star",
        arguments: ["a.b.c", "a.b.c-d", "a.b.C9", "a.b.any", "a.b.3f6c1e2a-0000"])
    func stands(_ identifier: String) {
        #expect(IdentifierPattern.stands("a.b.*", for: identifier))
        #expect(IdentifierPattern.pattern(for: identifier) == "a.b.*")
    }

    @Test(
        "stands for nothing with fewer or more, for no other prefix, and for no pattern",
        arguments: [
            "", "a", "a.b", "a.b.", "a.b..", "a.b.c.d", "a.b.c.", "a.b..c", "a.b.*", "a.b.**", "a.b.c.*", "a.bc.d",
            "A.b.c",
            "xa.b.c", "a.b", ".a.b.c",
        ])
    func standsNot(_ identifier: String) {
        #expect(!IdentifierPattern.stands("a.b.*", for: identifier))
        #expect(IdentifierPattern.pattern(for: identifier) != "a.b.*")
    }

    @Test("is one that ends in a dot and a star; any other identifier stands for nothing else")
    func isOne() {
        #expect(IdentifierPattern.isOne("a.b.*") && !IdentifierPattern.isOne("a.b*") && !IdentifierPattern.isOne("a.b"))
        #expect(!IdentifierPattern.stands("a.b", for: "a.b") && !IdentifierPattern.stands("a.b", for: "a.b.c"))
        #expect(!IdentifierPattern.stands("a.b*", for: "a.bc"))
        #expect(IdentifierPattern.pattern(for: "a") == nil)
    }
}
