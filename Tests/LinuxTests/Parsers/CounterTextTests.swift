import Testing
import Workers

@Suite("Numbers in cgroup files")
struct CounterTextTests {
    static let keyed: [(key: String, text: String, value: UInt64?)] = [
        ("usage_usec", "usage_usec 251\nuser_usec 200\nsystem_usec 51\n", 251),
        ("system_usec", "usage_usec 251\nuser_usec 200\nsystem_usec 51\n", 51),
        ("oom_kill", "low 0\nhigh 0\nmax 41\noom 3\noom_kill 2\noom_group_kill 1\n", 2),
        ("oom", "low 0\nhigh 0\nmax 41\noom 3\noom_kill 2\noom_group_kill 1\n", 3),
        ("oom_kill", "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n", 7),
        ("populated", "populated 1\nfrozen 0\n", 1),
        ("frozen", "populated 1\nfrozen 0", 0),
        ("usage_usec", "usage_usec 18446744073709551615\n", .max),
        ("usage_usec", "usage_usec 18446744073709551616\n", nil),
        ("usage_usec", "usage_usec \n", nil),
        ("usage_usec", "usage_usec", nil),
        ("usage_usec", "usage_use", nil),
        ("usage_usec", "nr_usage_usec 4\n", nil),
        ("oom_kill", "oom_kill -1\n", nil),
        ("oom_kill", "", nil),
    ]

    @Test("A keyed number is found by its whole key", arguments: keyed.indices)
    func keyedNumbers(_ index: Int) {
        let item = Self.keyed[index]
        #expect(CounterText.value(of: item.key, in: item.text.utf8.span) == item.value)
    }

    @Test(
        "A number alone is read up to the line's end",
        arguments: [("1048576\n", 1_048_576), ("0", 0), ("max\n", nil), ("", nil)] as [(String, UInt64?)])
    func numbers(_ text: String, _ value: UInt64?) {
        #expect(CounterText.number(in: text.utf8.span) == value)
    }

    @Test("Pids are read one a line, processes of foreign namespaces left out")
    func pids() {
        #expect(CounterText.processes(in: "12\n0\n7\nx\n-3\n") == [12, 7])
        #expect(CounterText.processes(in: "").isEmpty)
    }
}
