import TaskModel
import Testing

@Suite("What is shown of a URL")
struct ShownURLTests {
    @Test(
        "has neither user, password, query nor fragment",
        arguments: [
            ("https://example.com/a/b", "https://example.com/a/b"),
            ("https://user:secret@example.com:8443/a?token=secret#secret", "https://example.com:8443/a"),
            ("http://secret@example.com", "http://example.com"), ("http://example.com?secret", "http://example.com"),
            ("http://a@secret@example.com/x@y", "http://example.com/x@y"),
            ("http://[2001:db8::1]:80/a#secret", "http://[2001:db8::1]:80/a"), ("http://@/", "http:///"),
            ("secret", "(no URL)"), ("http:secret@example.com", "(no URL)"), ("", "(no URL)"),
        ])
    func shows(_ url: String, _ shown: String) { #expect(ShownURL.text(of: url) == shown) }

    @Test("A digest is 64 hexadecimal digits of either case, and nothing else")
    func digest() {
        let text = String(repeating: "0aF", count: 21) + "9"
        #expect(SHA256Text.bytes(of: text)?.prefix(3) == [0x0A, 0xF0, 0xAF])
        #expect(SHA256Text.bytes(of: text)?.count == 32)
        for wrong in ["", String(text.dropLast()), text + "0", String(text.dropLast()) + "g", "+" + text.dropLast()] {
            #expect(SHA256Text.bytes(of: wrong) == nil, "\(wrong)")
        }
    }
}
