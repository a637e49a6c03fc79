/// Why a function of the keychain fails.
struct KeychainFailure: Error {
    var status: OSStatus
    init(_ status: OSStatus) { self.status = status }
}

/// What is asked of the keychain.
struct KeychainQuery {
    /// Class, attributes and secret.
    let item: KeychainItem
    private let words: [String: Any]

    init(_ query: CFDictionary) throws(KeychainFailure) {
        words = query as? [String: Any] ?? [:]
        guard let kind = words[kSecClass as String] as? String else { throw KeychainFailure(errSecParam) }
        let stored = [kSecClassGenericPassword, kSecClassInternetPassword].map { $0 as String }
        guard stored.contains(kind) else { throw KeychainFailure(errSecUnimplemented) }
        for word in [kSecReturnRef, kSecReturnPersistentRef] where words[word as String] as? Bool == true {
            throw KeychainFailure(errSecUnimplemented)
        }
        item = KeychainItem(kind: kind, attributes: try Self.values(query))
    }

    /// What a dictionary says of an item: what a property list can have, without the words that say how to search.
    static func values(_ dictionary: CFDictionary) throws(KeychainFailure) -> [String: Any] {
        var values = dictionary as? [String: Any] ?? [:]
        for word in values.keys where word.hasPrefix("r_") || word.hasPrefix("m_") { values[word] = nil }
        for word in [kSecClass, kSecUseDataProtectionKeychain] { values[word as String] = nil }
        guard PropertyListSerialization.propertyList(values, isValidFor: .binary) else {
            throw KeychainFailure(errSecParam)
        }
        return values
    }

    /// Whether an item has the class and all attributes of the query. The secret does not count.
    func matches(_ other: KeychainItem) -> Bool {
        guard other.kind == item.kind else { return false }
        // Synchronized items are found by those who ask for them.
        if item.attributes[kSecAttrSynchronizable as String] == nil, other.isSynchronized { return false }
        return item.attributes.allSatisfy { word, value in
            if word == kSecValueData as String { return true }
            if word == kSecAttrSynchronizable as String {
                return value as? String == kSecAttrSynchronizableAny as String
                    || other.isSynchronized == item.isSynchronized
            }
            return other.has(value, for: word)
        }
    }

    /// What the query wants to have of items that it found.
    func result(_ items: [KeychainItem]) -> CFTypeRef? {
        let (data, attributes) = (
            words[kSecReturnData as String] as? Bool ?? false, words[kSecReturnAttributes as String] as? Bool ?? false
        )
        guard data || attributes else { return nil }
        let results = items.map { $0.result(data: data, attributes: attributes) }
        switch words[kSecMatchLimit as String] {
        case let limit as String where limit == kSecMatchLimitAll as String: return results as NSArray
        case let limit as Int where limit > 1: return Array(results.prefix(limit)) as NSArray
        default: return results.first
        }
    }
}
