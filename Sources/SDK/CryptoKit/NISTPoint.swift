import Foundation

/// The forms of a public key on the curves of NIST.
enum NISTPoint {
    /// A key of `04`, x and y, or of `02` or `03` and x. Other forms and lengths are refused, and points off the curve.
    static func key(_ curve: _Curve, anyForm bytes: Data) throws -> _CurveKey {
        switch bytes.first {
        case 2, 3: try compressed(curve, bytes)
        default: try uncompressed(curve, bytes)
        }
    }

    static func uncompressed(_ curve: _Curve, _ bytes: Data) throws -> _CurveKey {
        guard bytes.count == curve.publicByteCount else { throw CryptoKitError.incorrectParameterSize }
        guard bytes.first == 4 else { throw CryptoKitError.invalidParameter }
        return try _CurveKey(curve, publicBytes: bytes)
    }

    static func compressed(_ curve: _Curve, _ bytes: Data) throws -> _CurveKey {
        guard bytes.count == 1 + curve.coordinate else { throw CryptoKitError.incorrectParameterSize }
        guard bytes.first == 2 || bytes.first == 3 else { throw CryptoKitError.invalidParameter }
        return try _CurveKey(curve, publicBytes: bytes)
    }

    /// A key of x alone: of the two points the one with the smaller y.
    static func compact(_ curve: _Curve, _ bytes: Data) throws -> _CurveKey {
        guard bytes.count == curve.coordinate else { throw CryptoKitError.incorrectParameterSize }
        let even = try _CurveKey(curve, publicBytes: [2] + bytes)
        let odd = try _CurveKey(curve, publicBytes: [3] + bytes)
        return y(even).lexicographicallyPrecedes(y(odd)) ? even : odd
    }

    static func isCompact(_ key: _CurveKey) -> Bool {
        guard let other = try? _CurveKey(key.curve, publicBytes: compressed(key, flipped: true)) else { return false }
        return y(key).lexicographicallyPrecedes(y(other))
    }

    static func x(_ key: _CurveKey) -> Data { Data(key.publicBytes.dropFirst().prefix(key.curve.coordinate)) }

    static func compressed(_ key: _CurveKey) -> Data { compressed(key, flipped: false) }

    private static func compressed(_ key: _CurveKey, flipped: Bool) -> Data {
        let isOdd = key.publicBytes.last.map { $0 & 1 != 0 } ?? false
        return [isOdd != flipped ? 3 : 2] + x(key)
    }

    private static func y(_ key: _CurveKey) -> Data { key.publicBytes.suffix(key.curve.coordinate) }
}
