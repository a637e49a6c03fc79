import Foundation

extension Data {
    /// Bytes as two digits each; spaces may stand between them.
    init(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}

extension Sequence<UInt8> {
    /// Two digits for each byte.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
