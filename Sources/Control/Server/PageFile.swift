/// The files of the page that `taskhost ui` opens in a browser. They are part of the program, so that page and API are of one
/// version.
package enum PageFile {
    /// Adds what answers the page's routes.
    package static func addRoutes(to router: Router) {
        let files: [(Route, () -> [UInt8])] = [
            (.page, { page }), (.pageScript, { script }), (.pageStyle, { style }),
            (.pageIcon, { PackageResources.icon_svg }),
        ]
        for (route, bytes) in files {
            guard case .file(let type) = route.reply else { preconditionFailure("the page's routes reply with files") }
            router.add(route) { exchange in exchange.reply([bytes()], contentType: type) }
        }
    }

    // Made when somebody first asks for them: most hosts never serve a page.
    private static let page = served(PackageResources.index_html)
    private static let script = served(PackageResources.app_js)
    private static let style = served(PackageResources.app_css)

    /// Without indentation and lines that are a comment alone, a tenth of it: they are for those who read the source.
    private static func served(_ file: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        for line in file.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: "\t") }
            let isComment =
                text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) && text.suffix(2).elementsEqual("*/".utf8)
            guard !isComment, !text.isEmpty else { continue }
            kept += text
            kept.append(UInt8(ascii: "\n"))
        }
        return kept
    }
}
