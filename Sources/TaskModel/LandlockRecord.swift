/// A record that Landlock makes in the kernel's audit log (Documentation/admin-guide/LSM/landlock.rst).
package enum LandlockRecord: Equatable, Sendable {
    /// A domain refused something.
    case refusal(domain: String, Denial.Access, place: String)
    /// The process that entered the domain; it comes after the domain's first refusal.
    case domain(String, process: Int32)
    /// No process is in the domain any more.
    case end(domain: String)

    /// AUDIT_LANDLOCK_ACCESS and AUDIT_LANDLOCK_DOMAIN (linux/audit.h)
    package static let (access, domain) = (UInt16(1423), UInt16(1424))

    /// - Parameter text: `audit(TIME:SERIAL): key=value key=value`; a value with blanks or quotes in it is in hexadecimal digits.
    /// - Returns: nil: it is another record, or one without a meaning for a run.
    package init?(_ number: UInt16, _ text: String) {
        guard number == Self.access || number == Self.domain else { return nil }
        var fields: [Substring: Substring] = [:]
        for word in text.split(separator: " ") {
            guard let sign = word.firstIndex(of: "=") else { continue }
            fields[word[..<sign]] = word[word.index(after: sign)...]
        }
        guard let domain = fields["domain"].map(String.init) else { return nil }
        if number == Self.domain {
            if fields["status"] == "deallocated" {
                self = .end(domain: domain)
                return
            }
            guard let process = fields["pid"].flatMap({ Int32($0) }) else { return nil }
            self = .domain(domain, process: process)
            return
        }
        guard let blockers = fields["blockers"], let access = Self.access(blockers) else { return nil }
        let place: String?
        if access == .network {
            place = fields["dest"].map { Self.address(fields["daddr"], port: $0) }
        } else {
            place = fields["path"].flatMap(Self.text) ?? (access == .call ? String(blockers) : nil)
        }
        guard let place, !place.isEmpty, place.utf8.count <= Denial.longestPlace else { return nil }
        self = .refusal(domain: domain, access, place: place)
    }

    /// The weightiest of the rights that were missing.
    private static func access(_ blockers: Substring) -> Denial.Access? {
        let all = blockers.split(separator: ",").map { name -> Denial.Access in
            switch name {
            case "fs.execute": .execute
            case "fs.read_file", "fs.read_dir": .read
            case "net.connect_tcp": .network
            default:
                name.hasPrefix("fs.make_") || name.hasPrefix("fs.remove_")
                    || ["fs.write_file", "fs.truncate", "fs.refer"].contains(name) ? .write : .call
            }
        }
        return Denial.Access.allCases.first(where: all.contains)
    }

    private static func address(_ address: Substring?, port: Substring) -> String {
        guard let address else { return "port \(port)" }
        return (address.contains(":") ? "[\(address)]" : String(address)) + ":\(port)"
    }

    /// In quotes, or in hexadecimal digits.
    private static func text(_ value: Substring) -> String? {
        if value.hasPrefix("\""), value.hasSuffix("\""), value.count >= 2 {
            return String(value.dropFirst().dropLast())
        }
        let digits = Array(value.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
