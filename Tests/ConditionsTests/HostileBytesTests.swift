import Conditions
import Testing

@Suite("Messages that lie about their lengths")
struct HostileBytesTests {
    /// A generator that gives the same numbers at each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("Random and damaged bytes are read to their end and no further", arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) {
        var numbers = Numbers(state: seed)
        for round in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...96, using: &numbers)).map { _ in
                UInt8.random(in: round % 2 == 0 ? 0...255 : 0...12, using: &numbers)
            }
            // Half of them begin as what they claim to be.
            if round % 4 < 2, bytes.count >= 20 {
                bytes.replaceSubrange(0..<8, with: [UInt8(bytes.count), 0, 0, 0, 16, 0, 0, 0])
            }
            let span = bytes.span.bytes
            var routes = DefaultRoutes()
            routes.add(span, 0..<bytes.count)
            _ = GenericNetlink.group("event", in: span)
            _ = QuotaWarning.refusedProjects(in: span)
            _ = Uevent.concerns(subsystem: "power_supply", span)
            InotifyEvent.forEach(in: span) { event in #expect(event.name.utf8.count <= bytes.count * 3) }
        }
    }

    @Test("A bus address gives its path, and nothing else does")
    func addresses() {
        #expect(BusAddress.path(of: "unix:path=/run/dbus/system_bus_socket") == "/run/dbus/system_bus_socket")
        #expect(BusAddress.path(of: "tcp:host=x;unix:guid=1,path=/a%20b") == "/a b")
        for bad in [
            "", "unix:", "unix:abstract=/x", "unix:path=relative", "unix:path=/%zz", "unix:path=/%0", "unix:path=/%00",
            "unixexec:path=/bin/sh",
        ] {
            #expect(BusAddress.path(of: bad) == nil)
        }
        for path in ["/run/dbus/socket", "/a b;c,d=é%"] {
            #expect(BusAddress.path(of: BusAddress.address(ofPath: path)) == path)
        }
    }
}
