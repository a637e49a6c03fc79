import BackgroundTasks
import os

private let logger = Logger(subsystem: "com.example", category: "background")
private struct Item: CustomStringConvertible { var description: String { "item" } }

func logEverything(task: BGTask, error: any Error, url: URL?, count: Int, ratio: Double) {
    logger.log("plain")
    logger.log(level: .debug, "level")
    logger.trace("count \(count)")
    logger.debug(
        "count \(count, privacy: .private) \(count, format: .hex(includePrefix: true), align: .right(columns: 8))")
    logger.info("ratio \(ratio, format: .fixed(precision: 2)) \(ratio > 1)")
    logger.info("\(ratio, format: .hybrid(precision: 3)) \(ratio, format: .exponential(precision: 2))")
    logger.info("\(ratio, format: .hybrid) \(ratio, format: .hex(uppercase: true)) \(Float(ratio), format: .hex)")
    logger.info("\(count, format: .hex(explicitPositiveSign: true))")
    logger.info("\(count, format: .octal(explicitPositiveSign: true))")
    logger.notice("task \(task.identifier, privacy: .public) \(task)")
    logger.warning("error \(error.localizedDescription, privacy: .public)")
    logger.error("error \(error) \(String(describing: url), privacy: .sensitive(mask: .hash))")
    logger.critical("item \(Item(), privacy: .private(mask: .hash))")
    logger.fault("url \(url?.absoluteString ?? "-", privacy: .auto)")
    os_log("message only")
    os_log("format %{public}@ %d %.1f", task.identifier, count, ratio)
    os_log(.info, "type first %{private}@", "secret")
    os_log("%*d %.*f %{bool}d", 5, count, 2, ratio, count)
    os_log("with type", type: .debug)
    os_log("dictionary %@", log: .default, type: .error, ["a": 1] as NSDictionary)
}
