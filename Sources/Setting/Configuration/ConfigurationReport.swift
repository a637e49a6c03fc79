package import JSON
import Linux
import Manifests
import Scheduling
import TaskModel
import Transfers

/// Every value of a host's configuration as it applies, with where it comes from.
package enum ConfigurationReport {
    /// Where a value comes from.
    package enum Source: NamedCases, Sendable {
        case `default`
        /// The limits profile.
        case profile
        case file
        case environment
        case option
    }

    package struct Entry: Sendable {
        /// Its place in the file, such as `retention.age`.
        package var key: String
        /// Durations are seconds, sizes are bytes.
        package var value: JSONOutput
        /// As the file would have it.
        package var text: String
        package var source: Source
        /// The place in the file, or the name of the profile, the option or the variable; nil: by default.
        package var place: String?

        /// One that is so by default.
        package init(_ key: String, _ value: JSONOutput, _ text: String) {
            (self.key, self.value, self.text) = (key, value, text)
            source = .default
        }

        package var json: JSONOutput {
            .object([
                "key": .string(key), "value": value, "text": .string(text), "source": .string(source.name),
                "place": JSONOutput(place),
            ])
        }
    }

    /// - Parameters:
    ///   - file: the configuration file as messages should name it, and its document; nil: there is none.
    ///   - options: the values that options have changed, by key, with the options' names.
    ///   - state: the state folder, whose file system decides on the floor of the disk.
    package static func entries(
        _ configuration: HostConfiguration, file: (path: String, document: JSONValue)?, options: [String: String],
        state: String
    ) -> [Entry] {
        values(configuration, state).map { key, value in
            var entry = Entry(key, value.json, value.text)
            if let option = options[key] {
                (entry.source, entry.place) = (.option, option)
            } else if let file, let position = position(of: key, in: file.document) {
                (entry.source, entry.place) = (.file, "\(file.path):\(position.line):\(position.column)")
            } else if ofProfile.contains(key) {
                (entry.source, entry.place) = (.profile, configuration.profile.name)
            } else if key == "logFormat", logVariable != nil {
                (entry.source, entry.place) = (.environment, "JOURNAL_STREAM")
            } else if key == "telemetry.endpoint", case .string = value.json {
                (entry.source, entry.place) = (.environment, TelemetrySettings.Variable.endpoint.rawValue)
            }
            return entry
        }
    }

    /// Where the file sets the key; nil: it does not.
    private static func position(of key: String, in document: JSONValue) -> SourcePosition? {
        var value = document
        var position: SourcePosition?
        for part in key.split(separator: ".") {
            guard let member = value.object?.first(where: { $0.key == part }) else { return nil }
            (value, position) = (member.value, member.keyPosition)
        }
        return position
    }

    // MARK: Values

    private enum Value {
        case number(Int64)
        case span(TimeSpan?)
        case size(ByteCount)
        case word(String)
        case flag(Bool)
        /// nil: none.
        case text(String?)
        case list([String])
        case windows([WindowDefinition])

        var json: JSONOutput {
            switch self {
            case .number(let number): .integer(number)
            case .span(let span): JSONOutput(span?.seconds)
            case .size(let size): JSONOutput(size.bytes as UInt64?)
            case .word(let word): .string(word)
            case .flag(let flag): .bool(flag)
            case .text(let text): JSONOutput(text)
            case .list(let words): .array(words.map(JSONOutput.string))
            case .windows(let windows):
                .array(
                    windows.map {
                        .object([
                            "from": .string($0.from.text), "for": .double($0.length.seconds),
                            "timeZone": JSONOutput($0.timeZone), "closed": .bool($0.isClosed),
                        ])
                    })
            }
        }

        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .span(let span): span?.manifestText ?? "none"
            case .size(let size): size.manifestText
            case .word(let word): word
            case .flag(let flag): "\(flag)"
            case .text(let text): text ?? "none"
            case .list(let words): "[\(words.joined(separator: ", "))]"
            case .windows(let windows):
                windows.isEmpty
                    ? "[]"
                    : windows.map {
                        "\($0.isClosed ? "closed " : "")\($0.from.text) for \($0.length.manifestText)"
                            + ($0.timeZone.map { " \($0)" } ?? "")
                    }.joined(separator: "; ")
            }
        }
    }

    /// Keys whose default is the limits profile's.
    private static let ofProfile: Set = [
        "launch", "idleWorker", "suspendAfter", "suspendedApplications", "limits.backgroundTime", "limits.callback",
        "limits.event", "limits.fetchInterval", "limits.notificationsPerHour",
    ]

    private static var logVariable: String? { ThisProcess.variable("JOURNAL_STREAM") }

    private static func values(_ configuration: HostConfiguration, _ state: String) -> [(String, Value)] {
        let floor = configuration.diskFloor ?? StateSpace.defaultFloor(of: state)
        let format =
            configuration.logFormat
            ?? LogFormat(variable: logVariable, stream: FileSystem.facts(lent: StandardStream.error.number))
        let general: [(String, Value)] = [
            ("profile", .word(configuration.profile.name)), ("concurrency", .number(Int64(configuration.concurrency))),
            ("users.first", .number(Int64(configuration.users.lowerBound))),
            ("users.count", .number(Int64(configuration.users.count))),
            ("retention.age", .span(configuration.retentionAge)),
            ("retention.count", .number(Int64(configuration.retentionCount))),
            ("retention.size", .size(configuration.retentionSize)),
            ("output", .size(ByteCount(bytes: UInt64(configuration.outputLimit)))), ("diskFloor", .size(floor)),
            ("fileSize", .size(configuration.fileSize)), ("processes", .number(Int64(configuration.processes))),
            ("control", .word(configuration.control ?? "auto")),
        ]
        let access: [(String, Value)] = [
            ("readers", .list(configuration.readers.map(String.init))), ("windows", .windows(configuration.windows)),
        ]
        let operation: [(String, Value)] = [
            ("rootApplications", .list(configuration.rootApplications)),
            ("allowUnconfined", .flag(configuration.allowsUnconfined)), ("log", .word(configuration.log.name)),
            ("logFormat", .word(format.name)),
            ("metrics.listen", .text(configuration.metrics?.listen.description)),
            ("metrics.token", .text(configuration.metrics?.token)),
            ("telemetry.endpoint", .text(endpoint(configuration))),
        ]
        return general + profile(configuration.profile) + scheduling(configuration.scheduling) + access
            + transfers(configuration.transfers) + operation + fleet(configuration.fleet)
    }

    private static func fleet(_ settings: FleetSettings?) -> [(String, Value)] {
        let labels = settings?.labels.sorted { $0.key < $1.key } ?? []
        return [
            ("fleet.database", .text(settings?.database)),
            ("fleet.name", .text(settings?.name ?? MachineIdentity.name)),
            ("fleet.labels", .list(labels.map { "\($0.key)=\($0.value)" })),
            ("fleet.lease", .span(settings?.lease ?? FleetSettings.defaultLease)),
            ("fleet.places", .number(Int64(settings?.places ?? FleetSettings.defaultPlaces))),
            ("fleet.manifests", .flag(settings?.takesManifests ?? false)),
        ]
    }

    private static func endpoint(_ configuration: HostConfiguration) -> String? {
        configuration.telemetry ?? TelemetrySettings(endpoint: nil, variable: TelemetrySettings.variable)?.endpoint
    }

    private static func profile(_ profile: LimitsProfile) -> [(String, Value)] {
        [
            ("idleWorker", .span(profile.idleWorker)), ("launch", .span(profile.launch)),
            ("suspendAfter", .span(profile.suspendAfter)),
            ("suspendedApplications", .number(Int64(profile.suspendedApplications))),
            ("limits.backgroundTime", .span(profile.backgroundTime)),
            ("limits.callback", .span(profile.lifecycleCallback)), ("limits.event", .span(profile.eventTime)),
            ("limits.fetchInterval", .span(profile.fetchInterval)),
            ("limits.notificationsPerHour", .number(Int64(profile.notificationsPerHour))),
        ]
    }

    private static func scheduling(_ limits: SchedulerLimits) -> [(String, Value)] {
        [
            ("scheduling.concurrency", .number(Int64(limits.concurrency))),
            ("scheduling.refreshes", .number(Int64(limits.refreshes))),
            ("scheduling.processings", .number(Int64(limits.processings))),
            ("scheduling.continued", .number(Int64(limits.continued))),
            ("scheduling.quota.cpuTime", .span(limits.quota)), ("scheduling.quota.window", .span(limits.quotaWindow)),
            ("scheduling.lowBattery", .number(Int64(limits.lowBattery))),
            ("scheduling.crashesAllowed", .number(Int64(limits.crashesAllowed))),
            ("scheduling.quarantine", .span(limits.quarantine)), ("scheduling.pace", .span(limits.pace)),
        ]
    }

    private static func transfers(_ limits: TransferLimits) -> [(String, Value)] {
        [
            ("transfers.concurrency", .number(Int64(limits.concurrency))),
            ("transfers.perApplication", .number(Int64(limits.perApplication))),
            ("transfers.perHost", .number(Int64(limits.perHost))),
            ("transfers.rate", .size(ByteCount(bytes: UInt64(clamping: limits.rate)))),
            ("transfers.applicationRate", .size(ByteCount(bytes: UInt64(clamping: limits.applicationRate)))),
        ]
    }
}
