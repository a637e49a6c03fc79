import Foundation

/// Values that a property list can hold, in one form each: String, Data, Date, Bool, Int, UInt64 above the largest Int, Float,
/// Double, and arrays and dictionaries of them.
package enum PropertyList {
    /// A URL as `UserDefaults.url(forKey:)` reads it: Foundation on Linux writes the path alone. nil: it cannot be archived.
    package static func archive(of url: URL) -> Data? {
        try? NSKeyedArchiver.archivedData(
            withRootObject: NSURL(string: url.absoluteString) as Any, requiringSecureCoding: true)
    }

    /// The value in its form; nil: no property list can hold it.
    static func value(_ value: Any) -> Any? {
        switch value {
        case let text as String: text
        case let data as Data: data
        case let date as Date: date
        case let number as NSNumber: self.number(number)
        case let number as CGFloat: Double(number)
        case let array as [Any]: self.array(array)
        case let entries as [String: Any]: dictionary(entries)
        default: nil
        }
    }

    /// The entries, with each value in its form; nil: a property list cannot hold one of them.
    static func dictionary(_ entries: [String: Any]) -> [String: Any]? {
        var values: [String: Any] = [:]
        values.reserveCapacity(entries.count)
        for (key, entry) in entries {
            guard let value = value(entry) else { return nil }
            values[key] = value
        }
        return values
    }

    private static func array(_ entries: [Any]) -> [Any]? {
        let values = entries.compactMap { value($0) }
        return values.count == entries.count ? values : nil
    }

    /// By the type of its value. Foundation on Linux gives only a Bool the type "c".
    private static func number(_ number: NSNumber) -> Any {
        switch unsafe UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"): number.boolValue
        case UInt8(ascii: "f"): number.floatValue
        case UInt8(ascii: "d"): number.doubleValue
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int.max): number.uint64Value
        default: number.intValue
        }
    }
}
