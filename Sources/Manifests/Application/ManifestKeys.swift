import TaskModel

/// The keys that a manifest may have, level by level. `manifests/schema.json` has the same.
package enum ManifestKeys {
    package static let application = [
        "$schema", "identifier", "name", "version", "library", "sha256", "backgroundModes", "tasks", "permissions",
        "isolation", "confinement", "user", "group", "enforcement", "misuse", "sdk", "scene", "transfers",
    ]
    package static let task = [
        "kind", "handler", "budget", "schedule", "after", "priority", "retry", "onFailure", "onOutput", "settings",
        "secrets", "requires", "learned",
    ]
    package static let learned = ["at", "landlock", "programs"]
    package static let foreignFunction = ["library", "symbol", "signature", "arguments", "success"]
    package static let command = ["command", "environment", "environmentFiles", "workingDirectory", "umask"]
    package static let webhook = ["webhook"]
    /// Around what answers, in an `onFailure`.
    package static let answer = ["when", "do"]
    package static let payloadArgument = ["payload"]
    package static let callbackArgument = ["callback", "signature"]
    package static let budget = ["wallClock", "cpuTime", "memory", "disk", "grace", "stall"]
    package static let schedule = [
        "every", "calendar", "boot", "timeZone", "jitter", "catchUp", "overlap", "payload", "scope",
    ]
    package static let retry = ["attempts", "backoff", "jitter"]
    package static let requires = Condition.all.compactMap { $0.requirement?.key }
    package static let transfers = ["certificate", "key", "trust", "renew"]
    package static let trust = ["host", "spki", "ca"]
    package static let renew = ["task", "hosts"]
    package static let permissions = [
        "read", "write", "execute", "attributes", "network", "sockets", "ping", "capabilities",
    ]

    /// The words of `backgroundModes`: those of iOS.
    package static let backgroundModes = [
        "fetch", "processing", "audio", "location", "voip", "external-accessory", "bluetooth-central",
        "bluetooth-peripheral", "remote-notification",
    ]
}
