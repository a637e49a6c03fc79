import TaskModel
import Testing

@testable import Transfer

@Suite("Where transfers may lead")
struct TransferGuardTests {
    private func network(_ text: String, _ length: UInt8) throws -> NetworkGrant.Host {
        .network(.init(try #require(NetworkAddress(text)), length: 96 + length))
    }

    private func allows(_ guarding: TransferGuard, _ url: String, at address: String) throws -> Bool {
        let url = try #require(TransferURL(url))
        let address = try #require(NetworkAddress(address))
        return guarding.allows(url) && guarding.allows(address, port: url.port, host: url.host)
    }

    @Test func `The grant of a name is for its public addresses and its port`() throws {
        let guarding = TransferGuard([NetworkGrant(.name("files.example.com"), port: 443)])
        #expect(try allows(guarding, "https://files.example.com/x", at: "93.184.216.34"))
        #expect(try !allows(guarding, "http://files.example.com/x", at: "93.184.216.34"))
        #expect(try !allows(guarding, "https://example.com/x", at: "93.184.216.34"))
        #expect(try !allows(guarding, "https://files.example.com.evil.example/x", at: "93.184.216.34"))
        // A DNS answer for the name must not lead into the local network.
        for address in [
            "127.0.0.1", "10.0.0.8", "192.168.1.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1", "fd00::1",
        ] {
            #expect(try !allows(guarding, "https://files.example.com/x", at: address), "\(address)")
        }
    }

    @Test func `A star is every public address, a name of the own network may lead into it`() throws {
        let any = TransferGuard([NetworkGrant(.any, port: nil)])
        #expect(try allows(any, "https://whoever.example/x", at: "93.184.216.34"))
        #expect(try !allows(any, "http://whoever.example/x", at: "127.0.0.1"))
        #expect(try !allows(any, "http://192.168.0.1/x", at: "192.168.0.1"))
        #expect(try !allows(any, "http://169.254.169.254/latest", at: "169.254.169.254"))
        let own = TransferGuard([NetworkGrant(.name("nas.local"), port: nil)])
        #expect(try allows(own, "http://nas.local/x", at: "192.168.0.9"))
        #expect(try !allows(own, "http://nas.local/x", at: "127.0.0.1"))
    }

    @Test func `Addresses, networks and the loopback have to be granted as such`() throws {
        let guarding = TransferGuard([
            NetworkGrant(.loopback, port: 8080), NetworkGrant(try network("10.1.0.0", 16), port: nil),
        ])
        #expect(try allows(guarding, "http://127.0.0.1:8080/x", at: "127.0.0.1"))
        #expect(try allows(guarding, "http://localhost:8080/x", at: "::1"))
        #expect(try !allows(guarding, "http://localhost:8081/x", at: "127.0.0.1"))
        #expect(try allows(guarding, "http://10.1.2.3/x", at: "10.1.2.3"))
        #expect(try allows(guarding, "http://box.example/x", at: "10.1.2.3"))
        #expect(try !allows(guarding, "http://10.2.2.3/x", at: "10.2.2.3"))
        let nothing = TransferGuard([])
        #expect(try !allows(nothing, "http://files.example.com/x", at: "93.184.216.34"))
    }

    @Test func `A proxy looks names up itself, so the name has to be granted`() throws {
        let guarding = TransferGuard([
            NetworkGrant(.loopback, port: nil), NetworkGrant(.name("files.example.com"), port: nil),
        ])
        #expect(guarding.allowsByProxy(try #require(TransferURL("http://files.example.com/"))))
        #expect(!guarding.allowsByProxy(try #require(TransferURL("http://other.example.com/"))))
        #expect(guarding.allowsByProxy(try #require(TransferURL("http://127.0.0.1/"))))
        #expect(!guarding.allowsByProxy(try #require(TransferURL("http://10.0.0.1/"))))
    }
}

@Suite("Challenges of servers")
struct ChallengeParserTests {
    private typealias Offer = ChallengeParser.Offer

    @Test func `Ways are told apart, whatever stands in quotes`() {
        #expect(
            ChallengeParser.offers(#"Strange a="b, Basic realm=\"no\"", Basic realm="first, with a \"comma\"", Bearer"#)
                == [
                    Offer(scheme: "strange", parameters: ["a": #"b, Basic realm="no""#]),
                    Offer(scheme: "basic", parameters: ["realm": #"first, with a "comma""#]), Offer(scheme: "bearer"),
                ])
        #expect(
            ChallengeParser.offers(
                "Digest realm=lab , nonce=\"x\",qop=\"auth, auth-int\", Negotiate YWJj=, BASIC Realm = r") == [
                    Offer(scheme: "digest", parameters: ["realm": "lab", "nonce": "x", "qop": "auth, auth-int"]),
                    Offer(scheme: "negotiate"), Offer(scheme: "basic", parameters: ["realm": "r"]),
                ])
    }

    @Test(arguments: [
        "", ",,,", "=", "\"", "a=\"", "Basic realm=\"open", "Basic =", String(repeating: "a,", count: 9999), "é",
    ])
    func `No field stops the parser`(field: String) {
        #expect(ChallengeParser.offers(field).count <= 64)
    }

    @Test func `The strongest way that can be asked about is taken`() {
        var answer = Transfer.Answer()
        answer.status = 401
        answer.headers = [
            HTTPHeader("WWW-Authenticate", "Negotiate"),
            HTTPHeader("www-authenticate", "Basic realm=a, Digest realm=b"),
            HTTPHeader("Proxy-Authenticate", "Basic realm=gate"),
        ]
        #expect(ChallengeParser.best(of: answer)?.method == .digest)
        #expect(ChallengeParser.best(of: answer)?.realm == "b")
        answer.status = 407
        #expect(ChallengeParser.best(of: answer)?.realm == "gate")
        answer.headers = [HTTPHeader("Proxy-Authenticate", "NTLM")]
        #expect(ChallengeParser.best(of: answer) == nil)
    }
}

@Suite("Fields of answers")
struct AnswerFieldTests {
    private func answer(_ headers: (String, String)...) -> Transfer.Answer {
        var answer = Transfer.Answer()
        answer.status = 503
        answer.headers = headers.map { HTTPHeader($0.0, $0.1) }
        return answer
    }

    @Test(
        arguments: [
            ("7", 7), ("-1", 0), ("604801", 604_800), ("9223372036854775807", 604_800), ("soon", nil),
            ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400), ("Fri, 07 Nov 3994 08:49:37 GMT", 604_800),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0),
        ] as [(String, Int64?)])
    func `No server puts a transfer off for longer than a week`(text: String, seconds: Int64?) {
        let answer = answer(("Retry-After", text), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(answer.retryAfter == seconds)
    }

    @Test(arguments: [nil, "", "today"])
    func `A date to try again counts from this machine's where the answer has none`(date: String?) {
        let headers = [("Retry-After", "Fri, 07 Nov 3994 08:49:37 GMT")] + (date.map { [("Date", $0)] } ?? [])
        var answer = Transfer.Answer()
        answer.headers = headers.map { HTTPHeader($0.0, $0.1) }
        #expect(answer.retryAfter == TransferLimit.longestRetryAfter)
        answer.headers[0].value = "Sat, 05 Nov 1994 08:49:37 GMT"
        #expect(answer.retryAfter == 0)
    }

    @Test func `What is too long to be kept guards no range`() {
        let tag = "\"" + String(repeating: "x", count: TransferLimit.headers - 2) + "\""
        #expect(answer(("ETag", tag)).validator == tag)
        #expect(answer(("ETag", "\"x" + tag.dropFirst())).validator.isEmpty)
        #expect(answer(("Last-Modified", tag + "x"), ("Date", "today")).validator.isEmpty)
    }
}
