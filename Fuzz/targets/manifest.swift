import JSON
import Manifests
import TaskModel

/// Decodes the input as a manifest and holds the decoder to its promises.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let result = ManifestDecoder.decode(bytes: bytes, path: "m.json", folder: "/m", profile: .modern)
    precondition((result.application == nil) == result.hasErrors, "an application exactly when there is no error")
    precondition(result.diagnostics.count <= DocumentReader.maximumDiagnostics + 1, "faults are bounded")
    for diagnostic in result.diagnostics {
        precondition(!diagnostic.description.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a message is one line")
        precondition(diagnostic.description.utf8.count < 8192, "a message is short")
        precondition(diagnostic.position.line >= 1 && diagnostic.position.column >= 1, "places count from 1")
        precondition(diagnostic.position.offset <= count, "a place lies in the file")
    }
    if let application = result.application { check(application) }
    _ = CrossCheck.conflicts(among: [result, result])
    checkRoundTrip(bytes)
    return 0
}

private func check(_ application: ApplicationDefinition) {
    precondition(!application.tasks.isEmpty || application.library != nil, "an application has tasks or a library")
    for task in application.tasks {
        precondition(task.budget.grace < task.budget.wallClock, "the grace lies within the budget")
        let settings = try? JSONParser.parse(task.settings, maximumBytes: ManifestLimits.settingsBytes)
        precondition(settings?.object != nil, "settings read back")
        if case .foreign(let function) = task.handler {
            precondition(function.arguments.count == function.signature.parameters.count, "an argument each")
        }
    }
    for path in application.permissions.read + application.permissions.write {
        precondition(!path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }, "no ..")
    }
}

/// What was read and written reads back the same.
private func checkRoundTrip(_ bytes: [UInt8]) {
    guard let value = try? JSONParser.parse(bytes, maximumBytes: 1 << 20) else { return }
    for layout in [JSONOutput.Layout.compact, .pretty] {
        let text = JSONOutput(value).bytes(layout)
        guard let again = try? JSONParser.parse(text, maximumBytes: 16 << 20) else {
            preconditionFailure("what was written reads back")
        }
        precondition(JSONOutput(again).bytes() == JSONOutput(value).bytes(), "it reads back the same")
    }
}
