/// Items of the keychain: generic and internet passwords, in a file of the application's state folder that its user
/// alone may read (mode 0600). The file is not encrypted. Everything that may read the application's folder can read
/// it, backups of the folder included; what the machine's owner provides belongs into the manifest's secrets.

/// Adds an item.
/// - Parameters:
///   - attributes: the class, the attributes and the secret.
///   - result: gets what the attributes ask to be returned.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    answer { () throws(KeychainFailure) in
        let query = try KeychainQuery(attributes)
        var item = query.item
        try Keychain.change { items throws(KeychainFailure) in
            guard !items.contains(where: { $0.isSame(as: item) }) else {
                throw KeychainFailure(errSecDuplicateItem)
            }
            item.stamp(isNew: true)
            items.append(item)
        }
        unsafe result?.pointee = query.result([item])
    }
}

/// Finds items.
/// - Parameters:
///   - query: the class, the attributes to match, how many to find and what to return.
///   - result: gets a secret as data, attributes as a dictionary, both as a dictionary; of all items an array of these.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    answer { () throws(KeychainFailure) in
        let query = try KeychainQuery(query)
        let found = try Keychain.items().filter { query.matches($0) }
        guard !found.isEmpty else { throw KeychainFailure(errSecItemNotFound) }
        unsafe result?.pointee = query.result(found)
    }
}

/// Changes all items that match.
/// - Parameters:
///   - query: the class and the attributes to match.
///   - attributesToUpdate: the new attributes and the new secret.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    answer { () throws(KeychainFailure) in
        let query = try KeychainQuery(query)
        let changes = try KeychainQuery.values(attributesToUpdate)
        try Keychain.change { items throws(KeychainFailure) in
            let places = items.indices.filter { query.matches(items[$0]) }
            guard !places.isEmpty else { throw KeychainFailure(errSecItemNotFound) }
            for place in places {
                var item = items[place]
                item.attributes.merge(changes) { $1 }
                item.stamp(isNew: false)
                let others = items.indices.filter { $0 != place }
                guard !others.contains(where: { items[$0].isSame(as: item) }) else {
                    throw KeychainFailure(errSecDuplicateItem)
                }
                items[place] = item
            }
        }
    }
}

/// Removes all items that match.
/// - Parameter query: the class and the attributes to match.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    answer { () throws(KeychainFailure) in
        let query = try KeychainQuery(query)
        try Keychain.change { items throws(KeychainFailure) in
            let count = items.count
            items.removeAll { query.matches($0) }
            guard items.count < count else { throw KeychainFailure(errSecItemNotFound) }
        }
    }
}

private func answer(_ body: () throws(KeychainFailure) -> Void) -> OSStatus {
    do throws(KeychainFailure) {
        try body()
        return errSecSuccess
    } catch {
        return error.status
    }
}
