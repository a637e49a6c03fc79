// The table. A new condition is a case of `ConditionName`, a row here, a gate, and its source.
extension Condition {
    static func row(_ name: ConditionName) -> Condition {
        switch name {
        case .power: power
        case .battery: battery
        case .lowPower: lowPower
        case .network: network
        case .user: user
        case .cpu: cpu
        case .memory: memory
        case .thermal: thermal
        case .refresh: refresh
        case .unlocked: unlocked
        case .disk: disk
        case .sleep: sleep
        case .window: window
        case .paths: paths
        case .changed: changed
        }
    }

    // MARK: Power

    private static let power = Condition(
        .power, gate: .externalPower,
        values: .words(\.externalPower, [("external", .yes), ("battery", .no), ("unknown", .unknown)]),
        requirement: RequirementForm("externalPower", .flag, meaning: "The machine runs on mains."),
        reason: .powerLost, symbol: "bolt", meaning: "the machine is on external power",
        source: "UPower; else `/sys/class/power_supply`",
        changes: "`PropertiesChanged`; device announcements of the kernel",
        holds: { conditions, _ in conditions.externalPower != .yes },
        isLost: { conditions, _ in conditions.externalPower == .no },
        found: { conditions in
            let charge = conditions.batteryLevel.map { ", \($0) %" } ?? ""
            return switch conditions.externalPower {
            case .unknown: nil
            case .yes: "on external power" + charge
            case .no: "on battery" + charge
            }
        },
        opens: { _ in "external power" })

    private static let battery = Condition(
        .battery, gate: .batteryLevel, values: .charge, minders: .background,
        requirement: RequirementForm(
            "anyPower", .flag, isWaiver: true,
            meaning: "It waits neither for a charged battery nor for the user to stop saving power."),
        symbol: "battery",
        meaning: "it has 20 % or more, or the machine is on external power",
        source: "UPower; else `/sys/class/power_supply`",
        changes: "`PropertiesChanged`; device announcements of the kernel",
        holds: { conditions, level in
            conditions.externalPower != .yes && conditions.batteryLevel.map { UInt64($0) < level } == true
        },
        found: { conditions in
            conditions.batteryLevel.map { "\($0) %" } ?? (conditions.externalPower == .yes ? "no battery" : nil)
        },
        opens: { "\($0) % charge or external power" })

    private static let lowPower = answer(
        .lowPower, \.lowPowerMode, [("off", .no), ("on", .yes)], gate: .lowPowerMode, minders: .background,
        requiredWith: .battery,
        symbol: "battery", meaning: "the user does not save power",
        source: "power-profiles-daemon: the profile is `power-saver`", changes: "`PropertiesChanged`",
        found: (yes: "on", no: "off"), opens: "the end of low-power mode")

    // MARK: Surroundings

    private static let network = Condition(
        .network, gate: .network, values: .steps(\.network, [.ok, .constrained, .none, .unknown]),
        requirement: RequirementForm(
            "network",
            .words([
                ("any", UInt64(NetworkAccess.constrained.rawValue)), ("unmetered", UInt64(NetworkAccess.ok.rawValue)),
            ]),
            meaning: "true and any: some network. unmetered: one that neither costs money nor is slow."),
        reason: .networkLost, symbol: "network",
        meaning: "there is a default route (`\"unmetered\"`: one that costs nothing)",
        source: "default routes of the kernel; NetworkManager's `Metered` and `Connectivity`",
        changes: "rtnetlink; `PropertiesChanged`",
        holds: { conditions, level in UInt64(conditions.network.rawValue) < level },
        isLost: { conditions, level in
            conditions.network != .unknown && UInt64(conditions.network.rawValue) < level
        },
        found: { conditions in
            switch conditions.network {
            case .unknown: nil
            case .none: "no network"
            case .constrained: "a metered or slow network"
            case .ok: "a network"
            }
        },
        opens: { $0 == UInt64(NetworkAccess.ok.rawValue) ? "an unmetered network" : "a network" })

    private static let user = answer(
        .user, \.userActive, [("idle", .no), ("active", .yes)], gate: .idle,
        requirement: RequirementForm(
            "idle", .flag, kinds: .long, defaults: .long,
            meaning: "Nobody uses the machine, and nobody else wants its processors."),
        reason: .userActive, symbol: "person", meaning: "nobody uses the machine",
        source: "`IdleHint` of logind's manager",
        changes: "`PropertiesChanged`; `SessionNew`, `SessionRemoved`",
        found: (yes: "somebody uses the machine", no: "nobody uses the machine"), opens: "an idle machine")

    private static let refresh = Condition(
        .refresh, gate: .backgroundRefresh,
        values: .words(\.backgroundRefresh, [("on", .yes), ("off", .no), ("unknown", .unknown)]), minders: .refresh,
        symbol: "pause", meaning: "background refresh is on",
        source: "the user: `taskhost device set refresh=off`, `taskhost app refresh off APP`",
        changes: "the same", holds: { conditions, _ in conditions.backgroundRefresh == .no },
        found: { words($0.backgroundRefresh, "turned on", "turned off") }, opens: { _ in "background refresh" })

    private static let unlocked = Condition(
        .unlocked, gate: .firstUnlock, values: .words(\.unlocked, [("yes", .yes), ("no", .no), ("unknown", .unknown)]),
        minders: .background, symbol: "lock", meaning: "the machine was unlocked once",
        source: "yes, unless the user sets it",
        changes: "`taskhost device set`",
        holds: { conditions, _ in conditions.unlocked == .no },
        found: { words($0.unlocked, "unlocked", "not unlocked since it started") }, opens: { _ in "the first unlock" })

    // MARK: Shortages

    private static let cpu = answer(
        .cpu, \.cpuPressure, [("nominal", .no), ("high", .yes)], gate: .cpuPressure, requiredWith: .user,
        meaning: "nobody else wants the processors badly", source: "pressure (`/proc/pressure`)",
        changes: "triggers of the kernel", found: (yes: "processors are short", no: "processors are free"),
        opens: "free processors")

    private static let memory = answer(
        .memory, \.memoryPressure, [("nominal", .no), ("high", .yes)], gate: .memoryPressure, minders: .background,
        reason: .memoryPressure, meaning: "nobody else wants memory badly", source: "pressure (`/proc/pressure`)",
        changes: "triggers of the kernel", found: (yes: "memory is short", no: "memory is free"), opens: "free memory")

    private static let thermal = Condition(
        .thermal, gate: .thermal,
        values: .steps(\.thermal, [.nominal, .fair, .serious, .critical, .unknown]), minders: .background,
        reason: .thermal, meaning: "the machine is not hot",
        source: "`/sys/class/thermal`: temperatures against trip points",
        changes:
            "generic netlink family `thermal`; device announcements of the kernel; whenever something else changed",
        holds: { conditions, _ in conditions.thermal >= .serious },
        isLost: { conditions, _ in conditions.thermal == .critical },
        found: { $0.thermal == .unknown ? nil : String(describing: $0.thermal) }, opens: { _ in "a cooler machine" })

    private static let disk = Condition(
        .disk, gate: .diskSpace, values: room, minders: .all,
        requirement: RequirementForm(
            "disk", .size(ByteCount(bytes: 1)...ByteCount(bytes: 1 << 50)),
            meaning:
                "So much of the state folder's file system is free when a run starts. While the run is in progress, the floor counts."
        ),
        reason: .diskLow, symbol: "disk",
        meaning: "the disk is not nearly full (`diskFloor`), and as much is free as is asked for",
        source: "free space of the state folder's file system",
        changes:
            "a look before something starts and while runs are in progress, and every 5 s while it lacks and somebody waits "
            + "([Confinement](Confinement.md#disk))",
        holds: { conditions, level in
            conditions.diskLow == .yes || level > 0 && (conditions.diskLow == .unknown || conditions.freeSpace < level)
        },
        found: { conditions in
            guard conditions.diskLow == .no, conditions.freeSpace < .max else {
                return words(conditions.diskLow, "the disk is nearly full", "there is room on the disk")
            }
            return "\(ByteCount(bytes: conditions.freeSpace)) or somewhat more is free"
        },
        opens: { $0 == 0 ? "free space on the disk" : "\(ByteCount(bytes: $0)) of free space on the disk" })

    /// For a disk: enough for every request, nearly full, or the free space.
    private static let room = ConditionValues(
        words: ["ok", "low", "500MiB", "unknown"],
        text: { conditions in
            switch conditions.diskLow {
            case .unknown: "unknown"
            case .yes: "low"
            case .no: conditions.freeSpace == .max ? "ok" : ByteCount(bytes: conditions.freeSpace).manifestText
            }
        },
        set: { word, conditions in
            let answers: [String: Tristate] = ["ok": .no, "low": .yes, "unknown": .unknown]
            guard let size = answers[word] == nil ? ByteCount(parsing: word)?.bytes : .max else { return false }
            conditions.diskLow = answers[word] ?? .no
            conditions.freeSpace = size
            return true
        })

    // MARK: Times at which nothing, or not everything, is started

    private static let sleep = answer(
        .sleep, \.isAsleep, [("off", .no), ("on", .yes)], gate: .sleep, minders: .all, symbol: "moon",
        meaning: "the machine is awake", source: "logind; the user: `taskhost device set sleep=on`",
        changes: "`PrepareForSleep`; the same",
        found: (yes: "it sleeps, or the user said that the host does", no: "awake"),
        opens: "the end of sleep")

    private static let window = Condition(
        .window, gate: .window,
        values: ConditionValues.words(
            \.windowClosed, [("open", .no), ("closed", .yes), ("unknown", .unknown)], clearing: \.windowEdge),
        minders: .long, reason: .windowClosed, symbol: "calendar",
        meaning: "the `windows` of the configuration let such work run",
        source: "`windows` in the [configuration](Configuration.md#windows)",
        changes: "the clocks: at each edge, when they are set, and when the time zone changes",
        holds: { conditions, _ in conditions.windowClosed == .yes },
        isLost: { conditions, _ in conditions.windowClosed == .yes },
        found: { words($0.windowClosed, "no window is open", "open") }, opens: { _ in "the next window" },
        next: { $0.windowEdge })

    // MARK: Of each task

    private static let paths = files(
        .paths, gate: .paths, meaning: "a file matches", opens: "a file that matches",
        asked: "A match of one of the patterns exists.")

    private static let changed = files(
        .changed, gate: .changed, meaning: "a file that matches has changed", opens: "a change of a file that matches",
        asked: "A match of one of the patterns was written, created or renamed into since the task's last successful "
            + "run started; without one, any match.")

    private static func files(
        _ name: ConditionName, gate: Gate, meaning: String, opens: String, asked: String
    ) -> Condition {
        Condition(
            name, gate: gate, values: .none, requirement: RequirementForm(name.word, .patterns, meaning: asked),
            symbol: "file", meaning: meaning, source: "the folders of the patterns",
            changes: "inotify, one watch a folder",
            holds: { _, _ in true }, found: { _ in nil }, opens: { _ in opens })
    }

    // MARK: Rows that are alike

    /// A condition that holds while its answer is yes, and that ends runs if it has a reason.
    private static func answer(
        _ name: ConditionName, _ part: any WritableKeyPath<DeviceConditions, Tristate> & Sendable,
        _ values: [(word: String, value: Tristate)], gate: Gate, minders: KindSet = [],
        requirement: RequirementForm? = nil, requiredWith: ConditionName? = nil,
        reason: Reason? = nil, symbol: String = Gate.plainSymbol, meaning: String, source: String, changes: String,
        found: (yes: String, no: String),
        opens: String
    ) -> Condition {
        Condition(
            name, gate: gate, values: .words(part, values + [("unknown", .unknown)]), minders: minders,
            requirement: requirement, requiredWith: requiredWith, reason: reason, symbol: symbol, meaning: meaning,
            source: source, changes: changes, holds: { conditions, _ in conditions[keyPath: part] == .yes },
            isLost: { conditions, _ in reason != nil && conditions[keyPath: part] == .yes },
            found: { words($0[keyPath: part], found.yes, found.no) }, opens: { _ in opens })
    }

    private static func words(_ answer: Tristate, _ yes: String, _ no: String) -> String? {
        switch answer {
        case .unknown: nil
        case .yes: yes
        case .no: no
        }
    }
}
