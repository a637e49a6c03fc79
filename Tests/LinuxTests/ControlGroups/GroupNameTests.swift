import Testing
import Workers

@Suite("Names of the folders that hold workers")
struct GroupNameTests {
    @Test(
        "Whatever could steer a path becomes an underscore",
        arguments: [
            ("com.example.feeds", "7-com.example.feeds"), ("../../etc", "7-.._.._etc"), ("a/b\n c", "7-a_b__c"),
            ("memory.max", "7-memory.max"), ("", "7-"), ("ü", "7-__"),
        ])
    func plain(_ application: String, _ name: String) {
        #expect(GroupName.make(application, serial: 7) == name)
    }

    @Test("A long identifier is cut behind its serial")
    func bounded() {
        let long = String(repeating: "x", count: 4000)
        let names = [GroupName.make(long, serial: 1), GroupName.make(long, serial: .max)]
        for name in names { #expect(name.utf8.count == GroupName.longest) }
        #expect(names[0] != names[1])
    }

    @Test(
        "A host's folder may not pass for a control file or leave its place",
        arguments: [
            ("taskhost-1f", true), ("", false), ("..", false), ("a/b", false), ("memory.max", false),
            ("cgroup.procs", false), (String(repeating: "x", count: 201), false),
        ])
    func parents(_ name: String, _ valid: Bool) {
        #expect(GroupName.isValidParent(name) == valid)
    }
}
