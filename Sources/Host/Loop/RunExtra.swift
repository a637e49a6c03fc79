/// What belongs to a run and is not the engine's business: bytes and sentences. Empty for most runs, and then free.
struct RunExtra {
    var payload: [UInt8] = []
    /// Replaces the manifest's settings; empty: they hold.
    var settings: [UInt8] = []
    var diagnostics: [String] = []
    /// The confinement of the worker that it was given to.
    var setup: Int64?
    /// Bytes of log lines that were kept.
    var logged = 0
    var observer: (any RunObserver)?
}
