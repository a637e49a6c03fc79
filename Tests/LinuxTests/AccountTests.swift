import Linux
import TaskModel
import Testing

@Suite("Users of the machine")
struct AccountLookupTests {
    @Test("are found by name, with their groups")
    func finds() throws {
        let root = try Account(named: "root")
        #expect(root.user == 0 && root.group == 0 && root.home == "/root")
        let mail = try Account(named: "nobody", group: "mail")
        #expect(mail.user == 65534 && mail.group == 8)
        #expect(mail.groups == [65534])
    }

    @Test("have names by their numbers")
    func names() {
        #expect(Account.name(of: 0) == "root" && Account.name(of: 65534) == "nobody")
        #expect(Account.name(of: 4_000_000_123) == nil)
    }

    @Test("The clock's error is known, or nothing sets the clock")
    func clock() throws {
        if let error = try Clock.error() { #expect(error >= .zero && error < .seconds(16)) }
    }

    @Test("are missing by name")
    func misses() {
        for (user, group) in [("no-user-of-that-name", nil), ("root", "no-group-of-that-name")] as [(String, String?)] {
            let error = #expect(throws: SystemError.self) { try Account(named: user, group: group) }
            #expect(error?.code == .ENOENT)
            #expect(error?.object == group ?? user)
        }
    }
}
