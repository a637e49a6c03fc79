/// One time through a folder, over as many runs as it takes.
struct Pass {
    var number: Int64
    /// What was dealt with last, relative to the folder; empty at the beginning.
    var position: [UInt8] = []
    /// Files read.
    var checked: Int64 = 0
    /// Bytes of the files read.
    var bytes: Int64 = 0
    var rotted: Int64 = 0
    /// Files and folders that could not be read.
    var unreadable: Int64 = 0
    /// The file after `position`, when the run before expired in the middle of it.
    var partial: FileReader.Partial?

    init(number: Int64) {
        self.number = number
    }

    var isUnderWay: Bool { !position.isEmpty || partial != nil }
}
