import TaskModel
import Testing

/// systemd.exec(5), "EnvironmentFile=".
@Suite("A file with variables")
struct EnvironmentFileTests {
    static let cases: [(text: String, variables: [String])] = [
        ("A=b\n", ["A=b"]), ("A=b", ["A=b"]), ("A=b\r\nC=d\r\n", ["A=b", "C=d"]), ("  A = b  \n", ["A=b"]),
        ("A=\n", ["A="]), ("A=--one --two", ["A=--one --two"]), ("A=pa$$w", ["A=pa$$w"]),
        ("A=a`echo hi`b", ["A=a`echo hi`b"]),
        ("A=x # kept", ["A=x # kept"]), ("A=http://h/?a=1&b=2", ["A=http://h/?a=1&b=2"]),
        ("# no\n; no\nA=b", ["A=b"]), ("# no \\\nA=b", ["A=b"]), ("no\nA=b", ["A=b"]),
        (#"A="a b""#, ["A=a b"]), ("A='c d'", ["A=c d"]), (#"A="a"'b'c"#, ["A=abc"]), (#"A="  a  "  "#, ["A=  a  "]),
        ("A=\"one\ntwo\"", ["A=one\ntwo"]), ("A='$x \\n'", ["A=$x \\n"]), (#"A="\$x \" \n""#, [#"A=$x " \n"#]),
        ("A=one\\\ntwo", ["A=onetwo"]), (#"A=a\ b\\"#, [#"A=a b\"#]), (#"A="open"#, ["A=open"]),
        ("1A=b\nA-B=c\n=d\n_=e", ["_=e"]), ("A=b\nA=c", ["A=b", "A=c"]), ("A=\u{0}b\nC=d", ["C=d"]), ("A=ä", ["A=ä"]),
        ("", []),
    ]

    @Test("is read as systemd reads it", arguments: cases)
    func reading(_ text: String, _ variables: [String]) {
        #expect(EnvironmentFile.variables(in: text.utf8) == variables, "\(text)")
    }

    @Test func `has a bound, and passes over what is no text`() {
        let most = EnvironmentFile.mostVariables
        let text = (0..<most).map { "A\($0)=b\n" }.joined()
        #expect(EnvironmentFile.variables(in: text.utf8)?.count == most)
        #expect(EnvironmentFile.variables(in: (text + "B=c\n").utf8) == nil)
        #expect(EnvironmentFile.variables(in: Array("A=".utf8) + [0xFF] + Array("\nB=c".utf8)) == ["B=c"])
    }
}
