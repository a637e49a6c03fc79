extension NetworkAddress {
    /// Reads `192.0.2.1` or `2001:db8::1`; nil for everything else. No zone, no octal, nothing left out.
    package init?(_ text: some StringProtocol) {
        if let v4 = Self.v4(text) { self.init(v4: v4) } else if let v6 = Self.v6(text) { self = v6 } else { return nil }
    }

    private static func v4(_ text: some StringProtocol) -> UInt32? {
        let octets = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard octets.count == 4 else { return nil }
        var address: UInt32 = 0
        for octet in octets {
            // A leading zero is octal to inet_aton(3) and decimal to others: refused.
            guard let number = number(octet, radix: 10, digits: 3), number <= 255,
                octet.count == 1 || octet.first != UInt8(ascii: "0")
            else { return nil }
            address = address << 8 | UInt32(number)
        }
        return address
    }

    /// RFC 4291 §2.2: eight groups, one run of them as `::`, the last two as IPv4 if so wished.
    private static func v6(_ text: some StringProtocol) -> NetworkAddress? {
        var groups: [UInt16] = []
        var gap: Int?
        var rest = Substring(text)
        if rest.hasPrefix("::") {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let group = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(group.count)
            if group.contains(".") {
                guard rest.isEmpty, let v4 = v4(group) else { return nil }
                groups += [UInt16(v4 >> 16), UInt16(v4 & 0xffff)]
                break
            }
            guard let number = number(group.utf8, radix: 16, digits: 4) else { return nil }
            groups.append(UInt16(number))
            if rest.hasPrefix("::") {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                rest = rest.dropFirst()
                guard !rest.isEmpty else { return nil }
            }
        }
        if let gap {
            guard groups.count <= 7 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        func half(_ part: ArraySlice<UInt16>) -> UInt64 { part.reduce(0) { $0 << 16 | UInt64($1) } }
        return NetworkAddress(high: half(groups[..<4]), low: half(groups[4...]))
    }

    private static func number(_ digits: some Collection<UInt8>, radix: Int, digits most: Int) -> Int? {
        guard (1...most).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue, value < radix else { return nil }
            number = number * radix + value
        }
        return number
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// `192.0.2.1`, or eight groups without leading zeros.
    package var description: String {
        if isV4 { return (0..<4).map { String(low >> (24 - 8 * UInt64($0)) & 0xff) }.joined(separator: ".") }
        let groups = [high, low].flatMap { half in (0..<4).map { half >> (48 - 16 * UInt64($0)) & 0xffff } }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
