import TaskModel
import Testing

@Suite("Proxies")
struct ProxyAddressTests {
    @Test(arguments: [
        "", "http://proxy.example:3128", "http://proxy.example", "https://127.0.0.1:8080/", "http://[::1]:3128",
        "HTTP://P:1",
        "http://ada:se%40same@proxy:3128", "http://ada@proxy", "http://a_b:1",
    ])
    func `A URL of a proxy is taken`(_ text: String) { #expect(ProxyAddress.isSound(text)) }

    @Test(arguments: [
        "proxy:3128", "127.0.0.1:3128", "socks5://p:1", "http://", "http:///", "http://:1", "http://p:0",
        "http://p:65536",
        "http://p:", "http://p:1/x", "http://p:1?x", "http://p:1#x", "http://a b:1", "http://p:1\n", "http://%70:1",
        "http://a@b@p:1", "http://a%zz@p:1", "http://a%00@p:1", "http://a%4@p:1", "http://[::1", "http://[x]:1",
        "http://p:1:2",
        "http://p:+1", "http://pröxy:1", "http://p\\@q:1", "http:p:1", "http://p//", "http://p\u{0}:1",
    ])
    func `Anything else is refused`(_ text: String) { #expect(!ProxyAddress.isSound(text)) }
}
