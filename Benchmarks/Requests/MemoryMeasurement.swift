import Glibc
import Scheduling
import TaskModel

/// What a request takes in memory beside SQLite, its share of applications and tasks included: resident pages, so that
/// what tables keep in reserve counts once it is used.
enum MemoryMeasurement {
    static func document(_ options: Options) throws -> String {
        let before = residentBytes
        var scheduler = Population.scheduler(requests: options.requests)
        for identity in 1...Int64(options.requests) {
            // Every date is another one.
            let date = Population.obstacle(of: identity) == .date ? identity * 1_000_000_000 : nil
            let request = Population.request(
                identity, submitted: Population.start.time,
                date: date.map { Timestamp(nanoseconds: Population.start.time.nanoseconds + $0) })
            _ = scheduler.restore(request, of: Population.task(of: identity))
        }
        scheduler.begin(at: Population.start)
        let bytes = Double(residentBytes - before) / Double(options.requests)
        guard scheduler.pendingCount + scheduler.decisions.count >= options.requests else { throw Surprise.wrongCount }
        return "{\"requests\": \(options.requests), \"bytesPerRequest\": \(bytes)}"
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = line.withUnsafeBufferPointer { bytes in
            String(decoding: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        }
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
