/// An item of the keychain.
struct KeychainItem {
    /// `kSecClass…`
    let kind: String
    /// Attributes and secret, of the types that property lists have.
    var attributes: [String: Any]

    /// The attributes by which items of its kind are told apart.
    private var identity: [CFString] {
        let own =
            kind == kSecClassGenericPassword as String
            ? [kSecAttrService] : [kSecAttrServer, kSecAttrProtocol, kSecAttrPort, kSecAttrPath]
        return own + [kSecAttrAccount, kSecAttrAccessGroup]
    }

    /// Whether only one of the two can be stored.
    func isSame(as other: KeychainItem) -> Bool {
        kind == other.kind && isSynchronized == other.isSynchronized
            && identity.allSatisfy { word in
                guard let value = attributes[word as String] else { return other.attributes[word as String] == nil }
                return other.has(value, for: word as String)
            }
    }

    /// Whether an attribute has a value.
    func has(_ value: Any, for word: String) -> Bool {
        guard let mine = attributes[word] else { return false }
        return ([mine] as NSArray).isEqual([value] as NSArray)
    }

    /// Whether it is one to synchronize: another item than one that is not.
    var isSynchronized: Bool { attributes[kSecAttrSynchronizable as String] as? Bool ?? false }

    /// Notes that it was added, or changed.
    mutating func stamp(isNew: Bool) {
        let now = Date()
        if isNew { attributes[kSecAttrCreationDate as String] = now }
        attributes[kSecAttrModificationDate as String] = now
    }

    /// What a query returns of it.
    func result(data: Bool, attributes wantsAttributes: Bool) -> CFTypeRef {
        let secret = attributes[kSecValueData as String] as? Data ?? Data()
        guard wantsAttributes else { return secret as NSData }
        var result = attributes
        result[kSecClass as String] = kind
        result[kSecValueData as String] = data ? secret : nil
        return result as NSDictionary
    }
}
