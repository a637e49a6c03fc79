import TaskModel
import Testing
import Wire

@testable import Transfer

@Suite("Secrets of orders")
struct OrderSecretsTests {
    private static let secrets: OrderSecrets = {
        var order = TransferOrder(
            transfer: TransferHandle(index: 1, generation: 1), kind: .download,
            url: "http://eve:pass%20word@files.example:8080/path?token=9f8e7d6c5b&x", method: "GET")
        order.proxy = "http://ada:sesame@gate.internal:3128"
        order.headers = [HTTPHeader("X-Key", "0123456789abcdef0123456789abcdef"), HTTPHeader("X-Short", "k")]
        (order.user, order.password) = ("bob", "opensaysme")
        return OrderSecrets(order, nil)
    }()

    @Test(arguments: [
        "http://ada:sesame@gate.internal:3128", "Could not resolve proxy: gate.internal", "of ADA", "sesame", "eve",
        "pass word",
        "token=9f8e7d6c5b&x", "e7d6c5b&x", "…456789abcd", "opensaysme", "bob", "k",
    ])
    func `A text with one of them is not shown`(_ text: String) { #expect(Self.secrets.areIn("It: \(text).")) }

    @Test(arguments: ["Connection refused", "Failed to connect to files.example port 8080", ""])
    func `Another one is`(_ text: String) {
        #expect(Self.secrets.areIn(text) == text.contains("k"), "the short one is in neither")
    }
}
