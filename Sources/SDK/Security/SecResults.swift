/// Success.
public let errSecSuccess: OSStatus = 0
/// Not made here.
public let errSecUnimplemented: OSStatus = -4
/// The file of the items could not be read or written.
public let errSecIO: OSStatus = -36
/// An argument is of no use.
public let errSecParam: OSStatus = -50
/// There is no place for items: the process is no worker.
public let errSecNotAvailable: OSStatus = -25291
/// There is such an item already.
public let errSecDuplicateItem: OSStatus = -25299
/// There is no such item.
public let errSecItemNotFound: OSStatus = -25300
/// The device is locked. Never here.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// Data are damaged: the file of the items is none.
public let errSecDecode: OSStatus = -26275
/// The authentication failed. Never here.
public let errSecAuthFailed: OSStatus = -25293
/// The user said no. Never here.
public let errSecUserCanceled: OSStatus = -128
/// The application has no right to it. Never here.
public let errSecMissingEntitlement: OSStatus = -34018

/// A sentence about a result.
/// - Parameters:
///   - status: the result.
///   - reserved: nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    let sentence =
        switch status {
        case errSecSuccess: "no error"
        case errSecUnimplemented:
            "only generic and internet passwords can be stored here, and returned as data or attributes"
        case errSecIO: "the file of the keychain cannot be read or written"
        case errSecParam: "the query lacks a class, or has a value that cannot be stored"
        case errSecNotAvailable: Keychain.missing
        case errSecDuplicateItem: "the item exists already"
        case errSecItemNotFound: "there is no such item"
        case errSecDecode: "the file of the keychain is damaged"
        default: "error \(status)"
        }
    return sentence as CFString
}
