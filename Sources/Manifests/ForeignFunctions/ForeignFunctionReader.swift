import JSON
import TaskModel

extension DocumentReader {
    /// Bytes of a library's path at most.
    static let maximumLibraryLength = 4096

    /// A library: a path or a bare soname.
    mutating func library(_ node: DocumentNode?) -> String? {
        text(node, limit: Self.maximumLibraryLength, expected: "a library's path or soname")
    }

    /// A C symbol in a string.
    mutating func symbol(_ node: DocumentNode?) -> String? {
        let expected = "an exported C function's name"
        return text(
            node, limit: SymbolSyntax.maximumLength, expected: expected,
            hint: "it holds letters, digits and underscores, and begins with no digit", where: SymbolSyntax.isSymbol)
    }

    /// `handler` as an object.
    ///
    /// - Parameter givesCredential: of the task that renews credentials: the function returns one.
    mutating func foreignFunction(_ node: DocumentNode, givesCredential: Bool = false) -> ForeignFunction? {
        guard let fields = fields(node, keys: ManifestKeys.foreignFunction) else { return nil }
        let libraryName = library(fields["library"])
        let symbolName = symbol(required(fields, "symbol", expected: "an exported C function's name"))
        let signatureNode = required(fields, "signature", expected: "a signature such as \"u64(u64, bytes, u32)\"")
        let signature = signature(signatureNode, givesCredential: givesCredential)
        let argumentNodes = elements(fields["arguments"], limit: Signature.maximumParameters, of: "arguments")
        guard let signature else { return nil }
        let arguments = arguments(argumentNodes, fields, signature)
        if givesCredential {
            refuseCompletion(arguments, argumentNodes ?? [])
        }
        let success = success(fields, signature.result, arguments)
        guard let symbolName, let success else { return nil }
        return ForeignFunction(
            library: libraryName, symbol: symbolName, signature: signature, arguments: arguments, success: success)
    }

    private mutating func arguments(_ nodes: [DocumentNode]?, _ fields: DocumentFields, _ signature: Signature)
        -> [Argument]
    {
        let wanted = signature.parameters.count
        let given = nodes ?? []
        func count(_ number: Int) -> String { number == 1 ? "1 argument" : "\(number) arguments" }
        if given.count != wanted, nodes != nil || !fields.mentions("arguments") {
            refuse(
                fields["arguments"] ?? fields.node, expected: "\(count(wanted)) for \(signature.text)",
                found: nodes == nil ? "no \"arguments\"" : count(given.count))
        }
        var arguments: [Argument] = []
        for (node, type) in zip(given, signature.parameters) {
            if let argument = argument(node, for: type) { arguments.append(argument) }
        }
        return arguments
    }

    /// Its result matters, so it completes by its return.
    private mutating func refuseCompletion(_ arguments: [Argument], _ nodes: [DocumentNode]) {
        for (argument, node) in zip(arguments, nodes) {
            guard case .callback(.complete, _) = argument else { continue }
            refuse(
                node, expected: "no callback \"complete\" of a function that renews credentials",
                hint: "its run ends when it returns the credential")
        }
    }

    private mutating func success(_ fields: DocumentFields, _ result: ValueType, _ arguments: [Argument])
        -> SuccessRule?
    {
        let expected = "a rule such as \"result == 0\", or \"always\""
        if let node = fields["success"] {
            return parsed(node, limit: SuccessParser.maximumLength, expected: expected) {
                (text) throws(SyntaxFault) in try SuccessParser.parse(text, result: result)
            }
        }
        if let rule = SuccessParser.defaultRule(for: result) { return rule }
        // With a `complete` callback the run completes by it, so the result decides nothing.
        if arguments.contains(where: { if case .callback(.complete, _) = $0 { true } else { false } }) {
            return .always
        }
        note(
            .error, fields.node.value.position, fields.node.path.member("success"), found: "nothing",
            expected: expected, hint: "a result of type \(result.name) has no rule of its own")
        return nil
    }
}
