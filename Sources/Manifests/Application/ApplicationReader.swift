import JSON
import TaskModel

/// Reads one manifest from its root.
struct ApplicationReader {
    var document: DocumentReader
    let profile: LimitsProfile
    var places = ManifestPlaces()

    init(file: String, profile: LimitsProfile) {
        document = DocumentReader(file: file)
        self.profile = profile
    }

    /// The application; nil, or something incomplete, when faults were noted.
    mutating func read(_ bytes: [UInt8]) -> ApplicationDefinition? {
        let root = document.parse(bytes, maximumBytes: ManifestLimits.fileBytes)
        guard let fields = document.fields(root, keys: ManifestKeys.application, expected: "an object, a manifest")
        else { return nil }
        let identifierNode = document.required(fields, "identifier", expected: IdentifierSyntax.expected)
        if let identifierNode { places.identifier = identifierNode.value.position }
        for key in ["library", "sha256", "permissions", "user", "group", "transfers"] { places.add(fields[key]) }
        let identifier = document.identifier(identifierNode)
        let name = document.text(fields["name"], limit: ManifestLimits.nameBytes, expected: "a name for people")
        let version = document.text(
            fields["version"], limit: ManifestLimits.nameBytes, expected: "a version such as \"1.0\"")
        let library = document.library(fields["library"])
        let digest = digest(fields)
        let modes = backgroundModes(fields["backgroundModes"])
        let permissions = document.permissions(fields["permissions"])
        let tasks = tasks(fields, modes: modes, permissions)
        TaskSequences(tasks).check(fields["tasks"], &document)
        let transfers = TransfersReader(
            granted: permissions.read + permissions.write + ["$STATE", "$CACHE"], tasks: places.tasks.map(\.identifier)
        ).read(fields["transfers"], into: &document)
        let scene = scene(fields)
        let isolation = document.choice(fields["isolation"], Isolation.allCases.map { ($0.rawValue, $0) })
        let user = document.text(
            fields["user"], limit: AccountSyntax.maximumLength, expected: AccountSyntax.expectedUser,
            where: AccountSyntax.isName)
        let group = document.text(
            fields["group"], limit: AccountSyntax.maximumLength, expected: AccountSyntax.expectedGroup,
            where: AccountSyntax.isName)
        if let node = fields["group"], !fields.mentions("user") {
            document.refuse(node, expected: "no \"group\" without a \"user\"", hint: "name the user who has it")
        }
        let enforcement = document.choice(fields["enforcement"], Enforcement.allCases.map { ($0.rawValue, $0) })
        let misuse = document.choice(fields["misuse"], Misuse.allCases.map { ($0.rawValue, $0) })
        let rules = document.choice(fields["sdk"], SystemRules.allCases.map { ($0.rawValue, $0) })
        let runsPrograms = tasks.contains(where: \.handler.isProgram)
        if let isolation, isolation != .run, runsPrograms, let node = fields["isolation"] {
            document.refuse(
                node, expected: "\"run\", or no \"isolation\", with programs",
                hint: "each run of a program has a process of its own")
        }
        let brokered = !permissions.sockets.isEmpty ? "\"sockets\"" : permissions.ping ? "\"ping\"" : nil
        if let node = fields["permissions"], let brokered,
            fields.mentions("library") || !tasks.allSatisfy(\.handler.isProgram)
        {
            document.refuse(
                node, expected: "\(brokered) for programs alone", found: "\(brokered) for other handlers",
                hint: "give the programs a manifest of their own: a broker makes their connections")
        }
        if let node = fields["permissions"], !permissions.capabilities.isEmpty,
            user != "root" || fields.mentions("library") || !tasks.allSatisfy(\.handler.isProgram)
        {
            document.refuse(
                node, expected: "\"user\": \"root\" and programs alone with \"capabilities\"",
                found: user == "root" ? "a library, or a handler in one" : "another user",
                hint: "take the capabilities out, or give root's programs a manifest of their own")
        }
        let confinement = confinement(fields, tasks)
        if confinement == .full { lintPrograms(fields, permissions) }
        guard let identifier else { return nil }
        var application = ApplicationDefinition(
            identifier: identifier, name: name, version: version, library: library, librarySHA256: digest,
            backgroundModes: modes, tasks: tasks, permissions: permissions,
            isolation: isolation ?? (runsPrograms ? .run : .zygote),
            enforcement: enforcement ?? .strict, misuse: misuse ?? .trap)
        application.confinement = confinement
        if confinement == .unconfined { application.permissions = Permissions() }
        application.user = user
        application.group = group
        application.rules = rules ?? .iOS26
        application.scene = scene
        application.transfers = transfers
        return application
    }

    /// Only programs may be without: code in a worker's own process is confined.
    private mutating func confinement(_ fields: DocumentFields, _ tasks: [TaskDefinition]) -> ConfinementLevel {
        guard let node = fields["confinement"],
            let level = document.choice(node, ConfinementLevel.allCases.map { ($0.rawValue, $0) }), level != .full
        else { return .full }
        if fields.mentions("library") || tasks.contains(where: { !$0.handler.isProgram }) {
            document.refuse(
                node, expected: "\"full\" but for programs, each with a \"command\"",
                hint: "give the programs a manifest of their own")
        }
        if let permissions = fields["permissions"] {
            document.warn(
                permissions, expected: "no \"permissions\" with \"confinement\": \"none\"",
                hint: "take them out: its programs may do what their user may")
        }
        return level
    }

    /// What their confinement would refuse well-known programs, in silence.
    private mutating func lintPrograms(_ fields: DocumentFields, _ permissions: Permissions) {
        guard let node = fields["tasks"], case .object(let members) = node.value.content else { return }
        for member in members {
            guard let words = member.value["handler"]?["command"], case .array(let values) = words.content else {
                continue
            }
            let command = ProgramCommand(values.compactMap(\.string))
            let place = DocumentNode(words, at: node.path.member(member.key).member("handler").member("command"))
            for program in UnservedProgram.all(in: command) where program.need != .signals {
                let cure: (isGranted: Bool, hint: String)? =
                    switch program.need {
                    case .socket:
                        (
                            !permissions.sockets.isEmpty,
                            "name the socket in \"permissions\": {\"sockets\": […]}; taskhost learn finds it"
                        )
                    case .echo: (permissions.ping, "\"permissions\": {\"ping\": true} lets it")
                    case .rights, .packets, .signals: nil
                    }
                if cure?.isGranted == true { continue }
                document.warn(
                    place, expected: "a program that its confinement serves",
                    found: "\(program.name), which \(program.need.rawValue)",
                    hint: cure?.hint ?? "\"confinement\": \"none\" gives it all rights of its user")
            }
        }
    }

    /// The class of the application's scene delegate.
    private mutating func scene(_ fields: DocumentFields) -> String? {
        guard let node = fields["scene"],
            let text = document.text(
                node, limit: ClassNameSyntax.maximumLength, expected: ClassNameSyntax.expected,
                hint: "a class is found by its module's name and its own", where: ClassNameSyntax.isClassName)
        else { return nil }
        guard fields.mentions("library") else {
            return document.refused(
                node, expected: "no \"scene\" without a \"library\"", hint: "the class is one of its own")
        }
        return text
    }

    private mutating func digest(_ fields: DocumentFields) -> [UInt8]? {
        let expected = "64 hexadecimal digits, the library's SHA-256"
        guard let node = fields["sha256"], let text = document.text(node, limit: 4096, expected: expected) else {
            return nil
        }
        guard fields.mentions("library") else {
            return document.refused(
                node, expected: "no \"sha256\" without a \"library\"", hint: "it pins the library's file")
        }
        guard let digest = SHA256Text.bytes(of: text) else {
            return document.refused(node, expected: expected, hint: "sha256sum prints it")
        }
        return digest
    }

    /// Nil when the key is absent: the manifest has no modes.
    private mutating func backgroundModes(_ node: DocumentNode?) -> [String]? {
        let known = ManifestKeys.backgroundModes
        guard let nodes = document.elements(node, limit: 64, of: "background modes") else { return nil }
        var modes: [String] = []
        for node in nodes {
            guard let mode = document.choice(node, known.map { ($0, $0) }) else { continue }
            if modes.contains(mode) {
                document.warn(node, expected: "each mode once")
            } else {
                modes.append(mode)
            }
        }
        return modes
    }

    private mutating func tasks(
        _ fields: DocumentFields, modes: [String]?, _ permissions: Permissions
    ) -> [TaskDefinition] {
        let expected = "an object of tasks by identifier"
        let hint = "add \"tasks\", or a \"library\" that is an application"
        guard let node = fields["tasks"] else {
            if !fields.mentions("library") {
                document.note(
                    .error, fields.node.value.position, fields.node.path.member("tasks"), found: "nothing",
                    expected: expected, hint: hint)
            }
            return []
        }
        places.add(node)
        guard case .object(let members) = node.value.content else {
            document.refuse(node, expected: expected)
            return []
        }
        if members.isEmpty, !fields.mentions("library") {
            document.refuse(node, expected: "at least one task", hint: hint)
            return []
        }
        guard members.count <= ManifestLimits.tasks else {
            document.refuse(
                node, expected: "at most \(ManifestLimits.tasks) tasks", found: "\(members.count) tasks")
            return []
        }
        let renewal = fields["transfers"]?.value["renew"]?["task"]?.string
        var tasks: [TaskDefinition] = []
        for member in members {
            places.tasks.append((member.key, member.keyPosition))
            let path = node.path.member(member.key)
            let key = DocumentNode(JSONValue(.string(member.key), at: member.keyPosition), at: path)
            addHandlerPlaces(of: member, at: path)
            if let zone = member.value["schedule"]?["timeZone"] {
                places.add(DocumentNode(zone, at: path.member("schedule").member("timeZone")))
            }
            for secret in member.value["secrets"]?.object ?? [] {
                places.add(DocumentNode(secret.value, at: path.member("secrets").member(secret.key)))
            }
            _ = document.identifier(key, allowingWildcard: true)
            let reader = TaskReader(
                key: key, identifier: member.key, profile: profile, modes: modes,
                hasLibrary: fields.mentions("library"),
                granted: permissions.read + permissions.write + ["$STATE", "$CACHE"],
                isRenewal: member.key == renewal, grants: permissions.network)
            let found = reader.read(DocumentNode(member.value, at: path), into: &document)
            for follower in found.dropFirst() { add(follower, of: member, at: path, beside: members) }
            tasks += found
        }
        return tasks
    }
}

extension ApplicationReader {
    /// The task that a command of `onFailure` or `onOutput` is has its places there.
    private mutating func add(
        _ follower: TaskDefinition, of task: JSONMember, at path: JSONPath, beside others: [JSONMember]
    ) {
        guard let key = TaskReader.keysOfFollowers.first(where: { follower.identifier == "\(task.key).\($0)" }),
            let answer = task.value[key]
        else { return }
        let value = answer["do"] ?? answer
        let node = DocumentNode(answer, at: path.member(key))
        places.tasks.append((follower.identifier, value.position))
        places.add(DocumentNode(value, at: JSONPath.root.member("tasks").member(follower.identifier).member("handler")))
        if others.contains(where: { $0.isNamed(follower.identifier) }) {
            document.refuse(
                node, expected: "no task named \"\(follower.identifier)\" beside this command, which has that name",
                hint: "write that identifier instead of the command")
        }
    }

    /// Of the handler, its library and its symbol; of the task itself when it has none.
    private mutating func addHandlerPlaces(of task: JSONMember, at path: JSONPath) {
        let path = path.member("handler")
        guard let handler = task.value["handler"] else {
            places.add(DocumentNode(JSONValue(.null, at: task.keyPosition), at: path))
            return
        }
        places.add(DocumentNode(handler, at: path))
        for key in ["library", "symbol"] {
            if let value = handler[key] { places.add(DocumentNode(value, at: path.member(key))) }
        }
    }
}

extension DocumentReader {
    /// An identifier in a string.
    mutating func identifier(_ node: DocumentNode?, allowingWildcard: Bool = false) -> String? {
        guard let node else { return nil }
        guard case .string(let text) = node.value.content else {
            return refused(node, expected: IdentifierSyntax.expected)
        }
        do throws(SyntaxFault) {
            try IdentifierSyntax.check(text, allowingWildcard: allowingWildcard)
            return text
        } catch {
            refuse(node, error)
            return nil
        }
    }
}
