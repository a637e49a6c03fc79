import Foundation
import Testing

@Suite("A row that cannot be read", .plainBuild)
struct UnreadableRowTests {
    @Test(
        "is said beside the others of its list, and ends no list",
        arguments: [
            (
                "journal",
                """
                INSERT INTO journal (at, kind, subject, text)
                VALUES (strftime('%s', 'now') * 1000000000, 250, '', ''), (strftime('%s', 'now') * 1000000000, 1, '', '')
                """, "of journal"
            ),
            ("history", "UPDATE runs SET outcome = 250 WHERE seq = (SELECT max(seq) FROM runs)", "of runs"),
        ])
    func said(_ verb: String, _ damage: String, _ place: String) throws {
        let folder = try Plugin.folder()
        #expect(try folder.run().status == 0)
        #expect(try folder.run().status == 0)
        try SQLite.execute(damage, on: folder.file("state/taskhost.db"))
        let text = try folder.ask(verb)
        #expect(text.status == 0, "\(text)")
        let notes = text.errors.split(separator: "\n").filter { $0.contains("a row of the record cannot be read") }
        #expect(notes.count == 1 && notes.first?.contains(place) == true, "\(text)")
        #expect(notes.first?.contains("the others are listed") == true && !text.output.isEmpty, "\(text)")
        let document = try folder.ask(verb, "--json")
        #expect(document.status == 0 && document.errors.contains("cannot be read"), "\(document)")
    }
}
