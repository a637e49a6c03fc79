import CCurl
import TaskModel
import Wire

/// libcurl's callbacks for an exchange: bytes of the upload's file, and whether an address may be connected to. Each gets
/// the attempt, which lives as long as its exchange.
enum ExchangeCallbacks {
    static let content: curl_read_callback = { buffer, size, count, context in
        guard let buffer = unsafe buffer, let context = unsafe context else { return aborted }
        let attempt = unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return unsafe attempt.give(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? aborted
    }

    /// libcurl signs in after it has begun to send.
    static let rewind: curl_seek_callback = { context, offset, origin in
        guard let context = unsafe context, origin == TASKHOST_SEEK_SET else { return CURL_SEEKFUNC_FAIL }
        return unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue().rewind(to: Int64(offset))
            ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    /// Every address, before anything is sent to it.
    static let open: curl_opensocket_callback = { context, _, address in
        guard let context = unsafe context, let address = unsafe address else { return badSocket }
        let attempt = unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        guard let (host, port) = unsafe endpoint(address), attempt.mayConnect(to: host, port) else {
            return badSocket
        }
        return unsafe taskhost_curl_socket(address)
    }

    /// Before a request is sent, on a connection too that another transfer has left.
    static let use: curl_prereq_callback = { context, host, _, port, _ in
        guard let context = unsafe context, let host = unsafe host,
            let address = unsafe NetworkAddress(String(cString: host))
        else {
            return CURL_PREREQFUNC_ABORT
        }
        let attempt = unsafe Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
        return attempt.mayConnect(to: address, UInt16(clamping: port)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    // Macros of <curl/curl.h>: CURL_READFUNC_ABORT, CURL_SOCKET_BAD.
    private static let aborted = 0x1000_0000
    private static let badSocket: curl_socket_t = -1

    private static func endpoint(_ address: UnsafePointer<curl_sockaddr>) -> (NetworkAddress, UInt16)? {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { bytes in
            var port: UInt16 = 0
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            switch unsafe taskhost_curl_endpoint(address, start, &port) {
            case 4: return unsafe (NetworkAddress(v4: UInt32(bigEndian: bytes.load(as: UInt32.self))), port)
            case 6:
                let (high, low) = unsafe (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self))
                return (NetworkAddress(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low)), port)
            default: return nil
            }
        }
    }
}
