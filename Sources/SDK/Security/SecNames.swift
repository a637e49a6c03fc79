/// The words of queries for items.

// MARK: - The keys of a query, and of an item's attributes

/// The kind of item.
public var kSecClass: CFString { "class" }
/// The service that a generic password is for.
public var kSecAttrService: CFString { "svce" }
/// Whose password it is.
public var kSecAttrAccount: CFString { "acct" }
/// The server that an internet password is for.
public var kSecAttrServer: CFString { "srvr" }
/// The protocol of an internet password.
public var kSecAttrProtocol: CFString { "ptcl" }
/// The port of an internet password.
public var kSecAttrPort: CFString { "port" }
/// The path of an internet password.
public var kSecAttrPath: CFString { "path" }
/// Kept; applications share no items.
public var kSecAttrAccessGroup: CFString { "agrp" }
/// Kept without effect: an item is always accessible.
public var kSecAttrAccessible: CFString { "pdmn" }
/// Kept without effect: nothing is synchronized.
public var kSecAttrSynchronizable: CFString { "sync" }
/// A label for people.
public var kSecAttrLabel: CFString { "labl" }
/// A description for people.
public var kSecAttrDescription: CFString { "desc" }
/// A comment for people.
public var kSecAttrComment: CFString { "icmt" }
/// Bytes of the application's own.
public var kSecAttrGeneric: CFString { "gena" }
/// When it was added.
public var kSecAttrCreationDate: CFString { "cdat" }
/// When it was last changed.
public var kSecAttrModificationDate: CFString { "mdat" }
/// The secret.
public var kSecValueData: CFString { "v_Data" }
/// Whether to return the secret.
public var kSecReturnData: CFString { "r_Data" }
/// Whether to return the attributes.
public var kSecReturnAttributes: CFString { "r_Attributes" }
/// Refused when true: there are no references.
public var kSecReturnRef: CFString { "r_Ref" }
/// Refused when true: there are no references.
public var kSecReturnPersistentRef: CFString { "r_PersistentRef" }
/// How many items to find; one when it is missing.
public var kSecMatchLimit: CFString { "m_Limit" }
/// Of no effect.
public var kSecUseDataProtectionKeychain: CFString { "nleg" }

// MARK: - Kinds of items

/// A password for a service.
public var kSecClassGenericPassword: CFString { "genp" }
/// A password for a server.
public var kSecClassInternetPassword: CFString { "inet" }
/// Refused.
public var kSecClassCertificate: CFString { "cert" }
/// Refused.
public var kSecClassKey: CFString { "keys" }
/// Refused.
public var kSecClassIdentity: CFString { "idnt" }

// MARK: - Values

/// One item.
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
/// All items.
public var kSecMatchLimitAll: CFString { "m_LimitAll" }
/// Matches both.
public var kSecAttrSynchronizableAny: CFString { "syna" }
/// Kept without effect.
public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" }
/// Kept without effect.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" }
/// Kept without effect.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" }
/// Kept without effect.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
/// Kept without effect.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" }
/// Kept without effect.
@available(*, deprecated, message: "use kSecAttrAccessibleAfterFirstUnlock")
public var kSecAttrAccessibleAlways: CFString { "dk" }
/// Kept without effect.
@available(*, deprecated, message: "use kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly")
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "dku" }
