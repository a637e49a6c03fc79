import Manifests
import TaskModel
import Testing

@Suite struct SyntaxTests {
    static let identifiers = [
        "a.b", "com.example.feeds", "com.example.my-app.2", "1.2", "COM.Example.x--y", "a", "0", "_", "updateSituation",
        "com.feed.database_cleaning", "a_b.c", "_a.b_", "a-_", "0123456789ABCDEFGHJKMNPQR",
        "8ARZ3NDEKTSV4RRFFQ69G5FAVX", String(repeating: "a", count: 255),
    ]
    @Test("An identifier is taken", arguments: identifiers)
    func takes(_ text: String) {
        #expect(throws: Never.self) { try IdentifierSyntax.check(text) }
    }

    /// The last two are ids of runs: `taskhost cancel` takes either.
    static let others = [
        "", ".", "..", "-", "*", ".*", "a.", ".a", "a..b", "-a.b", "a-.b", "a.b-", "_-", "a b.c", "a.b\n", "\na",
        "a.é", "a/b.c", "a.*", "a.*.b", "a*", "a\u{0}", String(repeating: "a", count: 256),
        "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav",
    ]
    @Test("A text that is no identifier is refused", arguments: others)
    func refuses(_ text: String) {
        #expect(throws: SyntaxFault.self) { try IdentifierSyntax.check(text) }
    }

    @Test("A wildcard is an identifier and one part more")
    func wildcards() {
        for text in Self.identifiers where text.utf8.count < 254 {
            #expect(throws: Never.self) { try IdentifierSyntax.check(text + ".*", allowingWildcard: true) }
        }
        for text in ["*", ".*", "a.**", "a.*.*", "a..*", "-a.*", String(repeating: "a", count: 254) + ".*"] {
            #expect(throws: SyntaxFault.self) { try IdentifierSyntax.check(text, allowingWildcard: true) }
        }
    }

    @Test(
        "A calendar is taken",
        arguments: [
            "* * * * *", "0 0 1 1 0", "59 23 31 12 7", "*/5 * * * *", "0-30/10,45 8-18 * * MON-FRI", "0 0 1 JAN,jul *",
            "  0  2\t* * * ", "0 0 29 2 *", "0 0 30 2 0-6", "0 0 31 2 MON", "0 0 30 2,4 *", "0 0 * * sun",
        ])
    func calendars(_ text: String) {
        #expect(throws: Never.self) { try CalendarSyntax.parse(text) }
    }

    @Test(
        "A bad calendar is refused with its place",
        arguments: [
            (
                "",
                "found the end at character 1; expected a minute; the five fields are minute, hour, day of month, month, day of week"
            ),
            (
                "* * * *",
                "found the end at character 8; expected a day of week; the five fields are minute, hour, day of month, month, day of week"
            ),
            (
                "* * * * * *",
                #"found "*" at character 11; expected five fields and no more; there is no field for seconds or years"#
            ),
            ("@daily", #"found "@" at character 1; expected five fields; write "0 0 * * *" for @daily, and the like"#),
            ("60 * * * *", #"found "60" at character 1; expected a minute from 0 to 59"#),
            ("0 24 * * *", #"found "24" at character 3; expected a hour from 0 to 23"#),
            ("0 0 0 * *", #"found "0" at character 5; expected a day of month from 1 to 31"#),
            ("0 0 1 13 *", #"found "13" at character 7; expected a month from 1 to 12 or a name such as FEB"#),
            ("0 0 * * 8", #"found "8" at character 9; expected a day of week from 0 to 7 or a name such as MON"#),
            (
                "0 0 * * MOM",
                #"found "MOM" at character 9; expected a day of week from 0 to 7 or a name such as MON; did you mean "MON"?"#
            ),
            (
                "0 22-5 * * *",
                #"found a range that runs backwards at character 3; expected the smaller hour first; write a list of two ranges, such as "22-23,0-5""#
            ),
            (
                "5/10 * * * *",
                #"found a step after a single value at character 2; expected a step after '*' or a range; write "5-59/…""#
            ),
            ("*/0 * * * *", #"found the step 0 at character 3; expected a step from 1 to 59"#),
            ("*/ * * * *", "found no step at character 3; expected a step from 1 to 59"),
            ("1, * * * *", #"found " " at character 3; expected a minute from 0 to 59"#),
            ("1x * * * *", #"found "1x" at character 1; expected a minute from 0 to 59"#),
            ("*1 * * * *", #"found "1" at character 2; expected ',' or a space after the minute"#),
            ("-1 * * * *", #"found "-" at character 1; expected a minute from 0 to 59"#),
            (
                "0 0 31 4,6 *",
                "found day 31 of months that are shorter at character 1; expected a date that some year has"
            ),
            (
                "0 0 30 FEB *",
                "found day 30 of months that are shorter at character 1; expected a date that some year has"
            ),
            (
                "0 0 99999999999999999999 * *",
                #"found "99999999999999999999" at character 5; expected a day of month from 1 to 31"#
            ),
        ])
    func badCalendars(_ text: String, _ message: String) {
        let fault = #expect(throws: SyntaxFault.self) { try CalendarSyntax.parse(text) }
        #expect(fault?.description == message)
    }

    @Test(
        "A path can be granted",
        arguments: ["/", "/etc/x", "$MANIFEST", "$STATE/db", "$CACHE/", "/a/...", "/a/..b", "/a b"])
    func paths(_ path: String) {
        #expect(PathSyntax.fault(path) == nil)
    }

    @Test(
        "A path cannot be granted",
        arguments: [
            "a", "$STATEX", "$HOME", "~", "~root/x", "/..", "/a/../b", "$STATE/..", "../\u{301}x", "/a/../\u{301}x", "",
        ])
    func badPaths(_ path: String) {
        #expect(PathSyntax.fault(path) != nil)
    }

    @Test(
        "A grant is read",
        arguments: [
            ("*:1", .any, 1), ("*:*", .any, nil), ("loopback:*", .loopback, nil), ("loopback:80", .loopback, 80),
            ("LocalHost:65535", .loopback, 65535), ("a-b.c_d.Example:80", .name("a-b.c_d.example"), 80),
            ("db:5432", .name("db"), 5432), ("10.0.0.1:22", v4(10, 0, 0, 1), 22),
            ("10.0.0.0/8:*", v4(10, 0, 0, 0, 8), nil),
            ("0.0.0.0/0:443", v4(0, 0, 0, 0, 0), 443), ("192.0.2.128/25:1", v4(192, 0, 2, 128, 25), 1),
            ("[::]:80", v6(0, 0), 80), ("[::1]:80", v6(0, 1), 80),
            ("[fe80::1:2]:8", v6(0xfe80 << 48, 0x1_0002), 8), ("[1::]:80", v6(1 << 48, 0), 80),
            ("[1:2:3:4:5:6:7:8]:80", v6(0x0001_0002_0003_0004, 0x0005_0006_0007_0008), 80),
            ("[::ffff:10.0.0.1]:80", v4(10, 0, 0, 1), 80), ("[::ffff:a00:1]:80", v4(10, 0, 0, 1), 80),
            ("[fd00::/8]:443", v6(0xfd00 << 48, 0, 8), 443), ("[::/0]:*", v6(0, 0, 0), nil),
        ] as [(String, NetworkGrant.Host, UInt16?)])
    func grants(_ text: String, _ host: NetworkGrant.Host, _ port: UInt16?) throws {
        #expect(try NetworkGrantSyntax.parse(text) == NetworkGrant(host, port: port))
    }

    private static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: UInt8 = 32) -> NetworkGrant.Host {
        .network(.init(v4: a, b, c, d, length: length))
    }
    private static func v6(_ high: UInt64, _ low: UInt64, _ length: UInt8 = 128) -> NetworkGrant.Host {
        .network(.init(NetworkAddress(high: high, low: low), length: length))
    }

    @Test(
        "An address reads back the same",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("2001:DB8::1", "2001:db8:0:0:0:0:0:1"),
            ("::", "0:0:0:0:0:0:0:0"),
        ])
    func addresses(_ text: String, _ same: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.description == same)
        #expect(NetworkAddress(same) == address)
    }

    @Test(
        "An address is of one kind, however it is written",
        arguments: [
            ("93.184.216.34", .public), ("2606:2800:220:1::1", .public), ("64:ff9b::8.8.8.8", .public),
            ("127.0.0.1", .loopback), ("127.255.0.9", .loopback), ("0.0.0.0", .loopback), ("::", .loopback),
            ("::1", .loopback), ("::127.0.0.1", .loopback), ("::ffff:127.0.0.1", .loopback),
            ("64:ff9b::127.0.0.1", .loopback), ("2002:7f00:1::", .loopback), ("10.1.2.3", .private),
            ("172.16.0.1", .private), ("172.32.0.1", .public), ("192.168.1.1", .private), ("100.64.0.1", .private),
            ("fd00::1", .private), ("64:ff9b::a01:203", .private), ("64:ff9b:1::8.8.8.8", .private),
            ("169.254.169.254", .linkLocal), ("::ffff:169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
            ("224.0.0.1", .special), ("255.255.255.255", .special), ("ff02::1", .special),
        ] as [(String, NetworkAddress.Kind)])
    func kinds(_ text: String, _ kind: NetworkAddress.Kind) throws {
        #expect(try #require(NetworkAddress(text)).kind == kind)
    }

    @Test(
        "A bad grant is refused",
        arguments: [
            "", ":", "a", "a:", "a:0", "a:65536", "a:+80", "a: 80", "a:08", ":80", "*", "**:80", "*.a:80", "a..b:80",
            "a-:80",
            "1.2.3:80", "1.2.3.256:80", "01.2.3.4:80", "::1:80", "[::1]", "[]:80", "[:]:80", "[1:2]:80", "[1::2::3]:80",
            "[1:2:3:4:5:6:7:8:9]:80", "[12345::]:80", "[::1%eth0]:80", "[::1.2.3]:80", "[1:]:80",
            "[1:2:3:4:5:6:7::8]:80:",
            "[:::]:80", "[::1:80", "é:80", "[::1.2.3.4:5]:80", "a:**", "a:*1", "10.0.0.1/8:80", "10.0.0.0/33:80",
            "10.0.0.0/:80", "10.0.0.0/08:80", "10.0.0.0/+8:80", "10.0.0.0/8/8:80", "/8:80", "*/8:80", "a/8:80",
            "fd00::/8:80", "[fd00::/129]:80", "[fd00::1/8]:80", "[10.0.0.1]:80", "[10.0.0.0/8]:80", "[loopback]:80",
            "[fd00::]/8:443",
        ])
    func badGrants(_ text: String) {
        #expect(throws: SyntaxFault.self) { try NetworkGrantSyntax.parse(text) }
    }

    @Test(
        "The nearest word is guessed",
        arguments: [
            ("walClock", "wallClock"), ("wall_clock", "wallClock"), ("WALLCLOCK", "wallClock"),
            ("wallcolck", "wallClock"),
            ("cpu-time", "cpuTime"), ("mem", nil), ("grcae", "grace"), ("timeout", nil), ("", nil),
            (String(repeating: "w", count: 1000), nil),
        ] as [(String, String?)])
    func nearest(_ word: String, _ match: String?) {
        #expect(Nearest.match(for: word, among: ["wallClock", "cpuTime", "memory", "grace"]) == match)
    }
}
