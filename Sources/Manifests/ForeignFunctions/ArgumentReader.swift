import JSON
import TaskModel

extension DocumentReader {
    /// Bytes of a string argument at most.
    static let maximumArgumentLength = 64 << 10

    /// One argument of a foreign function, checked against the type of its parameter.
    mutating func argument(_ node: DocumentNode, for type: ValueType) -> Argument? {
        switch node.value.content {
        case .null where type.isPointer: return .null
        case .bool(let value) where type == .bool: return .boolean(value)
        case .integer(let value) where type.holds(value): return .integer(value)
        case .unsigned(let value) where type.holds(value): return .unsigned(value)
        case .integer, .unsigned, .double:
            guard type.isReal, let value = node.value.double else { break }
            guard type == .f64 || Float(value).isFinite else { break }
            return .real(value)
        case .string(let text) where type == .string || type == .bytes: return stringArgument(node, text, type)
        case .object(let members): return boundArgument(node, members, type)
        case .null, .bool, .string, .array: break
        }
        return refused(node, expected: Self.expectation(type))
    }

    private mutating func stringArgument(_ node: DocumentNode, _ text: String, _ type: ValueType) -> Argument? {
        guard text.utf8.count <= Self.maximumArgumentLength else {
            return refused(
                node, expected: "at most \(Self.maximumArgumentLength) bytes",
                found: "a string of \(text.utf8.count) bytes")
        }
        guard type == .bytes || !text.utf8.contains(0) else {
            return refused(
                node, expected: "a string without NUL characters",
                hint: "C would take the first one for the string's end"
            )
        }
        return .string(text)
    }

    /// `{"payload": …}` or `{"callback": …}`.
    private mutating func boundArgument(_ node: DocumentNode, _ members: [JSONMember], _ type: ValueType) -> Argument? {
        if members.contains(where: { $0.isNamed("payload") }) { return payloadArgument(node, type) }
        if members.contains(where: { $0.isNamed("callback") }) { return callbackArgument(node, type) }
        return refused(
            node, expected: "an object with \"payload\" or \"callback\"",
            hint: members.first.flatMap { Nearest.hint(for: $0.key, among: ["payload", "callback"]) })
    }

    private mutating func payloadArgument(_ node: DocumentNode, _ type: ValueType) -> Argument? {
        guard let fields = fields(node, keys: ManifestKeys.payloadArgument), let value = fields["payload"],
            let argument = choice(
                value,
                [
                    ("bytes", Argument.payloadBytes), ("string", Argument.payloadString),
                    ("length", Argument.payloadLength),
                ])
        else { return nil }
        let fits =
            switch argument {
            case .payloadBytes: type == .bytes || type == .pointer
            case .payloadString: type == .string || type == .pointer
            case .integer, .unsigned, .real, .boolean, .null, .string, .payloadLength, .callback: type.isInteger
            }
        guard fits else { return refused(value, expected: Self.expectation(type)) }
        return argument
    }

    private mutating func callbackArgument(_ node: DocumentNode, _ type: ValueType) -> Argument? {
        guard let fields = fields(node, keys: ManifestKeys.callbackArgument), let name = fields["callback"] else {
            return nil
        }
        let callback = choice(name, Callback.allCases.map { ($0.name, $0) })
        let signatureNode = fields["signature"]
        let given = signature(signatureNode)
        guard type == .callback || type == .pointer else { return refused(name, expected: Self.expectation(type)) }
        guard let callback else { return nil }
        guard let signatureNode else { return .callback(callback, callback.defaultSignature) }
        guard let given else { return nil }
        if let fault = callback.fault(of: given) {
            return refused(signatureNode, expected: fault)
        }
        return .callback(callback, given)
    }

    /// A signature in a string; of a function that renews credentials one with a `string` as result.
    mutating func signature(_ node: DocumentNode?, givesCredential: Bool = false) -> Signature? {
        let example = givesCredential ? "string(string)" : "u64(u64, bytes, u32)"
        let expected = "a signature such as \"\(example)\""
        return parsed(node, limit: SignatureParser.maximumLength, expected: expected) {
            (text) throws(SyntaxFault) in try SignatureParser.parse(text, givesCredential: givesCredential)
        }
    }

    /// What an argument for a parameter of this type may be.
    private static func expectation(_ type: ValueType) -> String {
        let what =
            switch type {
            case .void: "nothing"
            case .bool: "true or false"
            case .f32, .f64: "a number"
            case .pointer: "null, {\"payload\": \"bytes\" or \"string\"} or {\"callback\": …}"
            case .string: "a string, null or {\"payload\": \"string\"}"
            case .bytes: "a string, null or {\"payload\": \"bytes\"}"
            case .callback: "null or {\"callback\": …}"
            case .i8, .u8, .i16, .u16, .i32, .u32, .i64, .u64:
                type.integerRange.map {
                    "a whole number from \($0.least) to \($0.greatest) or {\"payload\": \"length\"}"
                }
                    ?? "a whole number"
            }
        return "\(what) for the parameter of type \(type.name)"
    }
}

extension Callback {
    /// The signature of a callback without one in the manifest.
    var defaultSignature: Signature {
        switch self {
        case .shouldStop: Signature(result: .i32, parameters: [])
        case .complete: Signature(result: .void, parameters: [.i32])
        case .timeRemaining: Signature(result: .f64, parameters: [])
        }
    }

    /// Why the callback cannot have this signature, as the expected text; nil when it can.
    func fault(of signature: Signature) -> String? {
        if signature.parameters.contains(.callback) { return "\"pointer\" for a function pointer within a callback" }
        switch self {
        case .shouldStop:
            return signature.result.isInteger || signature.result == .bool
                ? nil : "an integer or bool as result of shouldStop"
        case .complete:
            guard let first = signature.parameters.first, first.isInteger else {
                return "an integer as the first parameter of complete, such as \"void(i32)\""
            }
            return signature.result == .void || signature.result.isInteger || signature.result == .bool
                ? nil : "void or an integer as result of complete"
        case .timeRemaining:
            return signature.result == .f64 ? nil : "f64 as result of timeRemaining"
        }
    }
}
