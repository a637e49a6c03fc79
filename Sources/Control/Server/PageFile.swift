/// The files of the page that `taskhost ui` opens in a browser. They are part of the program, so that page and API are of one
/// version.
package enum PageFile {
    /// Adds what answers the page's routes.
    package static func addRoutes(to router: Router) {
        let files: [(Route, () -> [UInt8])] = [
            (.page, { page }), (.pageScript, { script }), (.pageStyle, { style }),
            (.pageIcon, { PackageResources.icon_svg }),
        ]
        for (route, bytes) in files { router.add(route) { exchange in reply(to: exchange, route, bytes()) } }
        router.add(.pageModule) { (exchange) throws(Problem) in
            guard let module = modules[exchange["id"]] else { throw .noSuchPath(exchange.request.path) }
            reply(to: exchange, .pageModule, module)
        }
    }

    private static func reply(to exchange: Exchange, _ route: Route, _ bytes: [UInt8]) {
        guard case .file(let type) = route.reply else { preconditionFailure("the page's routes reply with files") }
        exchange.reply([bytes], contentType: type)
    }

    // Made when somebody first asks for them: most hosts never serve a page.
    private static let page = served(PackageResources.index_html)
    private static let script = served(PackageResources.app_js)
    /// Without the spaces that rules do not need, too.
    private static let style = Array(
        String(decoding: served(PackageResources.app_css), as: UTF8.self)
            .replacing(", ", with: ",").replacing(": ", with: ":").replacing("; ", with: ";").replacing(" {", with: "{")
            .utf8)
    /// By file name.
    private static let modules = [
        "actions.js": PackageResources.actions_js,
        "applications.js": PackageResources.applications_js,
        "calendar.js": PackageResources.calendar_js,
        "changes.js": PackageResources.changes_js,
        "device.js": PackageResources.device_js,
        "editor.js": PackageResources.editor_js,
        "elements.js": PackageResources.elements_js,
        "fleet.js": PackageResources.fleet_js,
        "history.js": PackageResources.history_js,
        "host.js": PackageResources.host_js,
        "journal.js": PackageResources.journal_js,
        "log.js": PackageResources.log_js,
        "manifests.js": PackageResources.manifests_js,
        "notes.js": PackageResources.notes_js,
        "now.js": PackageResources.now_js,
        "parts.js": PackageResources.parts_js,
        "pause.js": PackageResources.pause_js,
        "route.js": PackageResources.route_js,
        "run.js": PackageResources.run_js,
        "runs.js": PackageResources.runs_js,
        "shell.js": PackageResources.shell_js,
        "state.js": PackageResources.state_js,
        "stream.js": PackageResources.stream_js,
        "tasks.js": PackageResources.tasks_js,
        "text.js": PackageResources.text_js,
        "transfers.js": PackageResources.transfers_js,
        "usage.js": PackageResources.usage_js,
        "words.js": PackageResources.words_js,
    ].mapValues(served)

    /// Without indentation, lines that are a comment alone, and spaces of imports: they are for those who read the source.
    private static func served(_ file: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: "\t") }
            let isComment =
                text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) && text.suffix(2).elementsEqual("*/".utf8)
            guard !isComment, !text.isEmpty else { continue }
            if text.starts(with: "import {".utf8) {
                kept +=
                    String(decoding: text, as: UTF8.self).replacing(", ", with: ",")
                    .replacing("import {", with: "import{").replacing("} from ", with: "}from").utf8
            } else {
                kept += text
            }
            kept.append(UInt8(ascii: "\n"))
        }
        return kept
    }
}
