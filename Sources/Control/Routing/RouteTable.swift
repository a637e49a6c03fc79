/// The routes as a tree of their paths' segments, so that a request's path is walked once, regardless of the number of
/// routes. `Value` is the entry for each method at the end of a path.
struct RouteTable<Value> {
    /// The entry of a path.
    struct Match {
        var value: Value
        /// Values of the path's parameters.
        var parameters: [String: String]
    }

    private struct Node {
        /// Bytes decide: == of strings would take text for equal that is only canonically equivalent.
        var literals: [(bytes: [UInt8], node: Int)] = []
        var parameter: (name: String, node: Int)?
        var values: [(method: ControlRequest.Method, value: Value)] = []
    }

    private var nodes = [Node()]

    mutating func add(_ method: ControlRequest.Method, _ pattern: PathPattern, _ value: Value) {
        var node = 0
        for segment in pattern.segments { node = descend(from: node, by: segment) }
        nodes[node].values.append((method, value))
    }

    private mutating func descend(from node: Int, by segment: PathPattern.Segment) -> Int {
        switch segment {
        case .literal(let text):
            let bytes = Array(text.utf8)
            if let known = nodes[node].literals.first(where: { $0.bytes == bytes }) { return known.node }
            nodes.append(Node())
            nodes[node].literals.append((bytes, nodes.count - 1))
        case .parameter(let name):
            if let known = nodes[node].parameter {
                precondition(known.name == name, "a segment that varies has one name in all routes")
                return known.node
            }
            nodes.append(Node())
            nodes[node].parameter = (name, nodes.count - 1)
        }
        return nodes.count - 1
    }

    /// The entry of the path for the method; nil when there is none.
    func match(_ method: ControlRequest.Method, _ path: String) -> Match? {
        var found: Match?
        walk(path) { node, parameters in
            guard let entry = nodes[node].values.first(where: { $0.method == method }) else { return false }
            found = Match(value: entry.value, parameters: parameters())
            return true
        }
        return found
    }

    /// The methods of the path, in the order in which their routes were added.
    func methods(_ path: String) -> [ControlRequest.Method] {
        var methods: [ControlRequest.Method] = []
        walk(path) { node, _ in
            methods += nodes[node].values.map(\.method)
            return false
        }
        return methods
    }

    /// Visits the ends of the routes that the path fits, the literal ones first, until `visit` is content.
    private func walk(_ path: String, _ visit: (Int, () -> [String: String]) -> Bool) {
        var path = path
        path.withUTF8 { bytes in
            var values: [(name: String, range: Range<Int>)] = []
            _ = unsafe walk(bytes, at: 0, node: 0, &values, visit)
        }
    }

    private func walk(
        _ path: UnsafeBufferPointer<UInt8>, at start: Int, node: Int,
        _ values: inout [(name: String, range: Range<Int>)],
        _ visit: (Int, () -> [String: String]) -> Bool
    ) -> Bool {
        guard start < path.count else {
            let found = values
            return visit(node) {
                Dictionary(
                    uniqueKeysWithValues: found.map {
                        unsafe ($0.name, String(decoding: path[$0.range], as: UTF8.self))
                    })
            }
        }
        guard unsafe path[start] == UInt8(ascii: "/") else { return false }
        let begin = start + 1
        let end = unsafe path[begin...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
        guard begin < end else { return false }
        for literal in nodes[node].literals where unsafe literal.bytes.elementsEqual(path[begin..<end]) {
            if unsafe walk(path, at: end, node: literal.node, &values, visit) { return true }
        }
        guard let parameter = nodes[node].parameter else { return false }
        values.append((parameter.name, begin..<end))
        defer { values.removeLast() }
        return unsafe walk(path, at: end, node: parameter.node, &values, visit)
    }
}
