import TaskModel
import Testing

@testable import Host

@Suite("The book of addresses")
struct AddressBookTests {
    private static func at(_ span: TimeSpan) -> Instant { Instant(nanoseconds: 0) + span }
    private static func address(_ last: UInt32) -> NetworkAddress { NetworkAddress(v4: 0xcb00_7100 | last) }

    @Test("asks once, and again when the answers are a minute old")
    func freshness() {
        var book = AddressBook(names: ["a.example"])
        #expect(!book.isFresh(at: Self.at(.zero)))
        book.take([:], at: Self.at(.seconds(10)))
        #expect(book.isFresh(at: Self.at(.seconds(69))))
        #expect(!book.isFresh(at: Self.at(.seconds(70))))
    }

    @Test("gives the last answer, and grants those of the last hour")
    func remembers() {
        var book = AddressBook(names: ["a.example", "b.example"])
        book.take(["a.example": [Self.address(1), Self.address(2)]], at: Self.at(.zero))
        book.take(["a.example": [Self.address(3)], "c.example": [Self.address(9)]], at: Self.at(.minutes(30)))
        #expect(book.current("a.example") == [Self.address(3)])
        #expect(Set(book.granted["a.example"] ?? []) == [Self.address(1), Self.address(2), Self.address(3)])
        #expect(book.current("b.example").isEmpty && book.granted["c.example"] == nil)
        #expect(!book.isComplete && AddressBook(names: []).isComplete)
        book.take(["a.example": [Self.address(3)]], at: Self.at(.minutes(61)))
        #expect(book.granted["a.example"] == [Self.address(3)])
        // Servers that are away take nothing away.
        book.take(["b.example": [Self.address(4)]], at: Self.at(.minutes(62)))
        #expect(book.isComplete)
        book.take([:], at: Self.at(.minutes(300)))
        #expect(book.current("a.example") == [Self.address(3)])
        #expect(book.granted["a.example"] == [Self.address(3)])
    }

    @Test("keeps so many addresses of a name, the newest")
    func bounded() {
        var book = AddressBook(names: ["a.example"])
        for round in 0..<UInt32(20) {
            let answer = (0..<32).map { Self.address(round * 32 + $0) }
            book.take(["a.example": answer], at: Self.at(.seconds(Int64(round))))
            let granted = Set(book.granted["a.example"] ?? [])
            #expect(granted.count <= AddressBook.mostAddresses && granted.isSuperset(of: answer))
        }
    }

    @Test("reads what a helper says, and leaves out what makes no sense")
    func parses() {
        let text =
            "0 203.0.113.7\n1 2001:db8::1\n0 203.0.113.8\n7 10.0.0.1\n-1 10.0.0.1\nx y\n\n0 fe80::1%eth0\n0 203.0.113"
        let found = NameResolver.parse(Array(text.utf8), ["a.example", "b.example"])
        #expect(
            found == [
                "a.example": [Self.address(7), Self.address(8)],
                "b.example": [NetworkAddress(high: 0x2001_0db8 << 32, low: 1)],
            ])
        #expect(NameResolver.parse([0xff, 0x0a, 0x20, 0x0a], ["a"]).isEmpty)
    }

    @Test("finds the machine's name servers")
    func nameServers() {
        let text =
            "# one\nsearch example.com\nnameserver 127.0.0.53\n nameserver\tfe80::1%eth0 # two\nnameserver nonsense\n"
        #expect(
            NameServers.read(text) == [
                NetworkAddress(v4: 0x7f00_0035), NetworkAddress(high: 0xfe80 << 48, low: 1),
            ])
        #expect(NameServers.read("") == [NetworkAddress(v4: 0x7f00_0001)])
        #expect(NameServers.read(String(repeating: "nameserver 10.0.0.1\n", count: 9)).count == 3)
    }
}
