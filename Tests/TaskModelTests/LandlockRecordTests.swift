import TaskModel
import Testing

@Suite("A record of Landlock's in the audit log")
struct LandlockRecordTests {
    private static let head = "audit(1729738800.268:30): domain=195ba459b "

    @Test(
        "names what was refused, and to which domain",
        arguments: [
            (#"blockers=fs.read_file path="/etc/shadow" dev="vda2" ino=351"#, Denial.Access.read, "/etc/shadow"),
            (#"blockers=fs.execute path="/srv/x" dev="vda2" ino=3"#, .execute, "/srv/x"),
            (#"blockers=fs.write_file,fs.truncate path="/srv/x" dev="vda2" ino=3"#, .write, "/srv/x"),
            (#"blockers=fs.make_reg path="/srv" dev="vda2" ino=3"#, .write, "/srv"),
            ("blockers=fs.read_dir path=2F737276206F dev=\"vda2\" ino=3", .read, "/srv o"),
            ("blockers=net.connect_tcp daddr=127.0.0.1 dest=80", .network, "127.0.0.1:80"),
            ("blockers=net.connect_tcp daddr=::1 dest=80", .network, "[::1]:80"),
            (#"blockers=scope.signal opid=1 ocomm="systemd""#, .call, "scope.signal"),
        ] as [(String, Denial.Access, String)])
    func refusals(_ text: String, _ access: Denial.Access, _ place: String) {
        #expect(LandlockRecord(1423, Self.head + text) == .refusal(domain: "195ba459b", access, place: place))
    }

    @Test("names the process of a domain, and its end")
    func domains() {
        let born = #"status=allocated mode=enforcing pid=300 uid=0 exe="/root/sandboxer" comm="sandboxer""#
        #expect(LandlockRecord(1424, Self.head + born) == .domain("195ba459b", process: 300))
        #expect(LandlockRecord(1424, Self.head + "status=deallocated denials=3") == .end(domain: "195ba459b"))
    }

    @Test("is nil for others, and for what makes no sense")
    func others() {
        for text in [
            "", "x", "domain=", "blockers=fs.read_file", #"blockers=fs.read_file path=""#,
            "blockers=fs.read_file path=2G",
            "blockers=fs.read_file path=FFFE", "blockers=fs.read_file path=2F7", "blockers= path=\"/x\"",
        ] { #expect(LandlockRecord(1423, Self.head + text) == nil, "\(text)") }
        #expect(LandlockRecord(1424, Self.head + "pid=x") == nil && LandlockRecord(1424, "pid=3") == nil)
        #expect(LandlockRecord(1300, Self.head + #"blockers=fs.read_file path="/x""#) == nil)
        let long = String(repeating: "x", count: 5000)
        #expect(LandlockRecord(1423, Self.head + "blockers=fs.read_file path=\"/\(long)\"") == nil)
    }
}
