/// The files of the page that `taskhost ui` opens in a browser. They are part of the program, so that page and API are of one
/// version.
package enum PageFile {
    /// Adds what answers the page's routes.
    package static func addRoutes(to router: Router) {
        let files: [(Route, [UInt8])] = [
            (.page, PackageResources.index_html), (.pageScript, PackageResources.app_js),
            (.pageStyle, PackageResources.app_css), (.pageIcon, PackageResources.icon_svg),
        ]
        for (route, bytes) in files {
            guard case .file(let type) = route.reply else { preconditionFailure("the page's routes reply with files") }
            router.add(route) { exchange in exchange.reply([bytes], contentType: type) }
        }
    }
}
