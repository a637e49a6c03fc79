import TaskModel
import Testing
import Wire

@testable import Transfer

@Suite("Redirects of transfers")
struct RedirectTests {
    private static let start = "https://files.example.com/a/b?c=d"

    private func redirect(_ status: UInt16, _ method: String, to location: String?) throws -> Redirect? {
        var answer = Transfer.Answer()
        answer.status = status
        answer.headers = location.map { [HTTPHeader("location", $0)] } ?? []
        return Redirect(answer, of: method, from: try #require(TransferURL(Self.start)))
    }

    @Test(
        arguments: [
            (301, "GET", "GET", true), (302, "GET", "GET", true), (301, "POST", "GET", false),
            (302, "POST", "GET", false),
            (302, "PUT", "PUT", true), (303, "PUT", "GET", false), (303, "POST", "GET", false),
            (303, "HEAD", "HEAD", true),
            (307, "POST", "POST", true), (308, "PATCH", "PATCH", true),
        ] as [(UInt16, String, String, Bool)])
    func `The status says which method and whether the content goes along`(
        status: UInt16, method: String, next: String, keeps: Bool
    ) throws {
        let redirect = try #require(try redirect(status, method, to: "/elsewhere"))
        #expect(redirect.method == next && redirect.keepsContent == keeps)
        #expect(redirect.url.text == "https://files.example.com/elsewhere")
    }

    @Test func `What leads nowhere stands for itself`() throws {
        #expect(try redirect(302, "GET", to: nil) == nil)
        #expect(try redirect(302, "GET", to: "") == nil)
        #expect(try redirect(302, "GET", to: "ftp://files.example.com/") == nil)
        #expect(try redirect(302, "GET", to: "file:///etc/passwd") == nil)
        #expect(try redirect(302, "GET", to: "javascript:1") == nil)
        #expect(try redirect(300, "GET", to: "/x") == nil)
        #expect(try redirect(304, "GET", to: "/x") == nil)
        #expect(try redirect(200, "GET", to: "/x") == nil)
    }

    @Test(arguments: [
        ("x", "https://files.example.com/a/x"), ("../x", "https://files.example.com/x"),
        ("?x", "https://files.example.com/a/b?x"),
        ("//other.example/y", "https://other.example/y"), ("http://files.example.com/z", "http://files.example.com/z"),
        ("/with blank", "https://files.example.com/with%20blank"), ("/ü#part", "https://files.example.com/%c3%bc"),
        ("https://user:pw@files.example.com/q", "https://files.example.com/q"),
    ])
    func `A place is read relative to where it was said`(location: String, url: String) throws {
        #expect(try redirect(302, "GET", to: location)?.url.text == url)
    }

    @Test func `Secrets stay with their origin, and fields about content with the content`() throws {
        let headers = [
            HTTPHeader("Authorization", "Bearer t"), HTTPHeader("cookie", "c"),
            HTTPHeader("Content-Type", "text/plain"),
            HTTPHeader("Accept", "*/*"),
        ]
        let start = try #require(TransferURL(Self.start))
        func names(_ status: UInt16, _ method: String, _ location: String) throws -> [String] {
            try #require(try redirect(status, method, to: location)).headers(headers, from: start).map(\.name)
        }
        #expect(try names(307, "PUT", "/x") == ["Authorization", "cookie", "Content-Type", "Accept"])
        #expect(try names(303, "PUT", "/x") == ["Authorization", "cookie", "Accept"])
        for elsewhere in ["http://files.example.com/x", "https://files.example.com:444/x", "https://example.com/x"] {
            #expect(try names(307, "PUT", elsewhere) == ["Content-Type", "Accept"])
        }
        #expect(try names(307, "PUT", "https://FILES.example.com.:443/x").count == 4)
    }
}

@Suite("URLs of transfers")
struct TransferURLTests {
    @Test func `A URL is taken apart`() throws {
        let url = try #require(TransferURL("HTTP://a%40b:p%3Aw@Files.Example.com:8080/a/../b c?q=1#part"))
        #expect(
            url.text == "http://files.example.com:8080/b%20c?q=1"
                || url.text == "http://Files.Example.com:8080/b%20c?q=1")
        #expect(url.host == "files.example.com" && url.port == 8080 && !url.isSecure)
        #expect(url.user == "a@b" && url.password == "p:w")
        #expect(!url.shown.contains("q=1") && !url.shown.contains("p%3Aw") && url.shown.hasSuffix("/b%20c"))
    }

    @Test(arguments: [
        "", "files.example.com/x", "/x", "ftp://h/x", "file:///x", "http://", "http://h:0/",
        "http://h:99999/",
        "data:,x", "http://[::1/", "http://h\u{0}x/",
    ])
    func `What is no URL of the web is none`(text: String) {
        // A guess of the scheme would be a URL that no one wrote.
        #expect(TransferURL(text) == nil, "\(text)")
    }

    @Test func `Addresses are seen as such`() throws {
        #expect(TransferURL("http://127.0.0.1/")?.address == NetworkAddress("127.0.0.1"))
        #expect(TransferURL("http://[::1]:8/")?.address == NetworkAddress("::1"))
        // Other ways to write the loopback, which resolvers take.
        #expect(TransferURL("http://2130706433/")?.address == NetworkAddress("127.0.0.1"))
        #expect(TransferURL("http://0x7f.1/")?.address == NetworkAddress("127.0.0.1"))
        #expect(TransferURL("http://localhost/")?.address == nil)
    }
}
