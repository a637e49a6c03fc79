// Runs in ClientNames.
import Foundation
import Security

/// What a wrapper of the keychain asks of it, so that tests can put another in its place.
protocol KeychainServices {
    func add(_ query: CFDictionary) -> OSStatus
    func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    func update(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus
    func delete(_ query: CFDictionary) -> OSStatus
}

struct SystemKeychain: KeychainServices {
    func add(_ query: CFDictionary) -> OSStatus { SecItemAdd(query, nil) }
    func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        SecItemCopyMatching(query, result)
    }
    func update(_ query: CFDictionary, _ attributes: CFDictionary) -> OSStatus { SecItemUpdate(query, attributes) }
    func delete(_ query: CFDictionary) -> OSStatus { SecItemDelete(query) }
}

struct KeychainError: LocalizedError {
    let status: OSStatus
    var errorDescription: String? { SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)" }
}

final class KeychainStore {
    private let services: KeychainServices
    private let service: String
    private let accessibility: CFString

    init(
        service: String, accessibility: CFString = kSecAttrAccessibleAfterFirstUnlock,
        services: KeychainServices = SystemKeychain()
    ) {
        (self.service, self.accessibility, self.services) = (service, accessibility, services)
    }

    private func query(_ key: String? = nil) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        ]
        query[kSecAttrAccount as String] = key
        return query
    }

    subscript(key: String) -> String? {
        get {
            var query = query(key)
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecReturnData as String] = kCFBooleanTrue
            var result: AnyObject?
            let status = withUnsafeMutablePointer(to: &result) {
                services.copyMatching(query as CFDictionary, UnsafeMutablePointer($0))
            }
            guard status == errSecSuccess, let data = result as? Data else { return nil }
            return String(data: data, encoding: .utf8)
        }
        set {
            guard let newValue else {
                _ = services.delete(query(key) as CFDictionary)
                return
            }
            try? set(newValue.data(using: .utf8)! as CFData, for: key)
        }
    }

    func set(_ value: CFData, for key: String) throws {
        var item = query(key)
        item[kSecValueData as String] = value
        item[kSecAttrAccessible as String] = accessibility
        var status = services.add(item as CFDictionary)
        if status == errSecDuplicateItem {
            status = services.update(query(key) as CFDictionary, [kSecValueData: value] as CFDictionary)
        }
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }

    func allKeys() -> Set<String> {
        var query = query()
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        var result: CFTypeRef?
        guard services.copyMatching(query as CFDictionary, &result) == errSecSuccess,
            let items = result as? [[CFString: Any]]
        else { return [] }
        return Set(items.compactMap { $0[kSecAttrAccount] as? String })
    }

    /// A secret that the keychain did not have before.
    func makeSecret(for key: String, count: Int = 32) throws -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        let status = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
        guard status == errSecSuccess else { throw KeychainError(status: status) }
        try set(Data(bytes) as CFData, for: key)
        return Data(bytes)
    }

    @discardableResult
    func removeAll() -> Bool {
        let all = NSMutableDictionary(dictionary: query())
        let status = SecItemDelete(all as CFMutableDictionary)
        return status == errSecSuccess || status == errSecItemNotFound
    }
}

@MainActor
func tryKeychain() throws {
    let store = KeychainStore(service: "com.example.account")
    let other = KeychainStore(service: "com.example.other")
    store.removeAll()
    precondition(store.allKeys().isEmpty && store["token"] == nil)
    store["token"] = "first"
    store["token"] = "second"
    store["user"] = "me"
    other["token"] = "other"
    precondition(store["token"] == "second" && store["user"] == "me" && other["token"] == "other")
    precondition(store.allKeys() == ["token", "user"] && other.allKeys() == ["token"])
    store["user"] = nil
    precondition(store["user"] == nil && store.removeAll() && store.allKeys().isEmpty)
    precondition(other["token"] == "other" && other.removeAll())
    let secrets = try ["a", "b"].map { try store.makeSecret(for: $0, count: 19) }
    precondition(secrets[0] != secrets[1] && secrets[0].count == 19 && store.allKeys() == ["a", "b"])
    precondition(secrets.allSatisfy { Set($0).count > 5 && $0.suffix(3) != Data(count: 3) })
    let refused = SecItemAdd([kSecClass: kSecClassKey] as CFDictionary, nil)
    precondition(refused != errSecSuccess && !KeychainError(status: refused).localizedDescription.isEmpty)
}
