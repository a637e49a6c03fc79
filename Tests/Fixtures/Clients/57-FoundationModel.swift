import Foundation

/// A model in a file that imports Foundation alone.
final class Counter: ObservableObject {
    @Published var count = 0
    @Published var name: String?

    func follow() {
        let changes = objectWillChange.sink { print("changes") }
        let counts = $count.map { $0 + 1 }.sink { print($0) }
        count += 1
        changes.cancel()
        counts.cancel()
    }
}

struct Shown<Model: ObservableObject> {
    let model: Model
}

/// Foundation brings Security along.
func forget(account: String) -> Bool {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecMatchLimit as String: kSecMatchLimitAll,
    ]
    let status = SecItemDelete(query as CFDictionary)
    return status == errSecSuccess || status == errSecItemNotFound
}
