@testable import Manifests
import TaskModel

/// Parses the input as each of the small texts of a manifest. The first byte chooses the type that `success` is about.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let text = String(decoding: bytes, as: UTF8.self)
    if let signature = try? SignatureParser.parse(text) {
        precondition(signature.parameters.count <= Signature.maximumParameters, "parameters are bounded")
        precondition((try? SignatureParser.parse(signature.text)) == signature, "it reads back the same")
    }
    if let choice = bytes.first {
        let types = ValueType.allCases
        let type = types[Int(choice) % types.count]
        let rest = String(decoding: bytes.dropFirst(), as: UTF8.self)
        check(rest, type)
    }
    if (try? IdentifierSyntax.check(text)) != nil {
        precondition((1...255).contains(text.utf8.count) && !text.contains("/"), "an identifier names a folder")
    }
    if let grant = try? NetworkGrantSyntax.parse(text) {
        precondition(grant.port != 0, "a grant is whole")
        if case .network(let network) = grant.host {
            precondition(network.address.prefix(network.length) == network.address, "nothing lies behind the prefix")
            precondition(NetworkAddress(network.address.description) == network.address, "it reads back the same")
        }
    }
    _ = try? CalendarSyntax.parse(text)
    _ = PathSyntax.fault(text)
    _ = Nearest.hint(for: text, among: ManifestKeys.application)
    return 0
}

private func check(_ text: String, _ type: ValueType) {
    do {
        let rule = try SuccessParser.parse(text, result: type)
        guard case .compare(_, let operand) = rule else { return }
        switch operand {
        case .integer(let value): precondition(type == .bool || type.holds(value), "the literal fits its type")
        case .unsigned(let value): precondition(type.holds(value), "the literal fits its type")
        case .real(let value): precondition(type.isReal && value.isFinite, "the literal fits its type")
        case .null: precondition(type.isPointer, "only a pointer is null")
        }
    } catch {
        precondition(!error.description.isEmpty && error.offset >= 0, "a fault has words and a place")
        precondition(error.offset <= text.utf8.count, "a fault lies in the text")
    }
}
