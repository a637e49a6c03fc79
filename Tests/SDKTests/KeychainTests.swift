import Foundation
import TaskHostSecurity
import TaskHostTesting
import Testing

@Suite("The keychain")
struct KeychainTests {
    private func query(_ account: String?, _ more: [CFString: Any] = [:]) -> CFDictionary {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
        if let account { query[kSecAttrAccount] = account }
        return query.merging(more) { $1 } as CFDictionary
    }

    private func secret(_ account: String) -> (OSStatus, String?) {
        var item: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query(account, [kSecReturnData: true]), &item)
        return (status, (item as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("keeps passwords until they are deleted, each once")
    func passwords() async throws {
        let host = try await TestHost(tasks: ["com.example.refresh": .appRefresh]) {}
        #expect(secret("a") == (errSecItemNotFound, nil))
        for name in ["a", "b"] {
            #expect(SecItemAdd(query(name, [kSecValueData: Data("secret \(name)".utf8)]), nil) == errSecSuccess)
        }
        #expect(SecItemAdd(query("a", [kSecValueData: Data("other".utf8)]), nil) == errSecDuplicateItem)
        #expect(secret("a") == (errSecSuccess, "secret a") && secret("b") == (errSecSuccess, "secret b"))
        let change = [kSecValueData: Data("new".utf8)] as CFDictionary
        #expect(SecItemUpdate(query("a"), change) == errSecSuccess && secret("a").1 == "new")
        #expect(SecItemUpdate(query("c"), change) == errSecItemNotFound)
        #expect(SecItemUpdate(query("a"), [kSecAttrAccount: "b"] as CFDictionary) == errSecDuplicateItem)
        #expect(SecItemDelete(query("a")) == errSecSuccess && SecItemDelete(query("a")) == errSecItemNotFound)
        #expect(secret("a").0 == errSecItemNotFound && secret("b").1 == "secret b")
        let file = host.stateDirectory.appending(path: ".keychain").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: file))
        #expect(secret("b").0 == errSecDecode && SecItemDelete(query("b")) == errSecDecode)
        await host.close()
    }

    @Test("returns attributes of one item or of all")
    func attributes() async throws {
        let host = try await TestHost(tasks: ["com.example.refresh": .appRefresh]) {}
        for (name, label) in [("a", "one"), ("b", "two"), ("c", "two")] {
            let more: [CFString: Any] = [kSecAttrLabel: label, kSecValueData: Data(name.utf8)]
            #expect(SecItemAdd(query(name, more), nil) == errSecSuccess)
        }
        var item: CFTypeRef?
        let all: [CFString: Any] = [
            kSecAttrLabel: "two", kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: kCFBooleanTrue!,
        ]
        #expect(unsafe SecItemCopyMatching(query(nil, all), &item) == errSecSuccess)
        let found = try #require(item as? [[String: Any]])
        #expect(found.compactMap { $0[kSecAttrAccount as String] as? String }.sorted() == ["b", "c"])
        #expect(found.allSatisfy { $0[kSecValueData as String] == nil && $0[kSecAttrCreationDate as String] is Date })
        let both: [CFString: Any] = [kSecReturnAttributes: true, kSecReturnData: true]
        #expect(unsafe SecItemCopyMatching(query("a", both), &item) == errSecSuccess)
        #expect((item as? [String: Any])?[kSecValueData as String] as? Data == Data("a".utf8))
        #expect(
            unsafe SecItemCopyMatching(query("a"), &item) == errSecSuccess && SecItemDelete(query(nil)) == errSecSuccess
        )
        #expect(SecItemCopyMatching(query(nil), nil) == errSecItemNotFound)
        await host.close()
    }

    @Test("refuses what it cannot keep, with a sentence")
    func refusals() async throws {
        await TestHost.withoutHost {
            #expect(SecItemDelete(query("a")) == errSecNotAvailable)
        }
        let host = try await TestHost(tasks: ["com.example.refresh": .appRefresh]) {}
        #expect(SecItemAdd([kSecAttrAccount: "a"] as CFDictionary, nil) == errSecParam)
        #expect(SecItemAdd([kSecClass: kSecClassKey] as CFDictionary, nil) == errSecUnimplemented)
        #expect(SecItemAdd(query("a", [kSecAttrGeneric: NSObject()]), nil) == errSecParam)
        #expect(SecItemCopyMatching(query("a", [kSecReturnRef: true]), nil) == errSecUnimplemented)
        let sentence = SecCopyErrorMessageString(errSecNotAvailable, nil) as String?
        #expect(sentence?.contains("not a worker") == true)
        await host.close()
    }
}
