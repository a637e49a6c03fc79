package import Foundation
import Glibc

/// Plays the kernel for programs, by a library that stands before the C library's calls (`Tests/Fixtures/Kernel`): the n-th use
/// of one call fails, or does less than it was asked for, once.
package enum KernelPlayer {
    /// What is to fail.
    package struct Fault: Hashable, Sendable, CustomStringConvertible {
        package var role: Role
        /// As `calls.h` has it.
        package var call: String
        /// 1: the first of the role's processes in one life.
        package var use: Int
        /// An errno; 0: it does less.
        package var code: Int32

        package init(_ role: Role, _ call: String, use: Int, code: Int32) {
            (self.role, self.call, self.use, self.code) = (role, call, use, code)
        }

        /// The file's first line.
        package var description: String { "\(role) \(call) \(use) \(code)" }
    }

    /// Whose calls are counted, in the order of the file's columns.
    package enum Role: Int, CaseIterable, Sendable {
        case host, zygote, worker, transfer
    }

    /// The library, built once for the whole test run.
    package static let library = Result {
        let name = "libplayer.so"
        let folder = try Places.once("kernel") { folder in
            let source = Places.fixtures.appending(path: "Kernel/player.c").path
            let build = try Command.run(
                "cc",
                [
                    "-std=gnu17", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O1", "-fno-builtin", "-Wall", "-Wextra",
                    "-Werror", "-o", folder.appending(path: name).path, source,
                ])
            guard build.succeeded else { throw Problem(build.output) }
        }
        return folder.appending(path: name).path
    }

    /// One life of played programs: what is to fail in it, and what was called.
    package struct Life: Sendable {
        private let file: URL

        /// - Parameter file: where the programs count; for this life alone.
        package init(_ fault: Fault?, at file: URL) throws {
            self.file = file
            var bytes = Data((fault?.description ?? "").utf8)
            bytes.append(Data(count: Self.size - bytes.count))
            try bytes.write(to: file)
        }

        /// For the environment of the first program: those that it starts have it from there.
        package var environment: [String: String] {
            get throws { ["LD_PRELOAD": try KernelPlayer.library.get(), "TASKHOST_PLAY": file.path] }
        }

        // As `struct play` has it.
        private static let size = 64 << 10
        private static let head = 512
        private static let planSize = 64
        private static let row = 64
        private static let nameSize = 32

        private func bytes() throws -> [UInt8] { try Array(Data(contentsOf: file)) }

        /// Where the call came from that failed, as libraries with offsets (for `llvm-symbolizer`); nil: none has.
        package var place: String? {
            get throws {
                let place = try bytes()[Self.planSize..<Self.head].prefix { $0 != 0 }
                return place.isEmpty ? nil : String(decoding: place, as: UTF8.self)
            }
        }

        /// How often the role's processes used each call.
        package func uses(by role: Role) throws -> [String: Int] {
            let bytes = try bytes()
            var uses: [String: Int] = [:]
            for start in stride(from: Self.head, to: bytes.count, by: Self.row) {
                let name = bytes[start..<start + Self.nameSize].prefix { $0 != 0 }
                if name.isEmpty { break }
                let place = start + Self.nameSize + role.rawValue * 8
                let count = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
                if count > 0 { uses[String(decoding: name, as: UTF8.self)] = count }
            }
            return uses
        }
    }

    // MARK: In a test's own process

    private typealias Fail = @convention(c) (UnsafePointer<CChar>, UInt64, Int32) -> Int32
    private typealias Fired = @convention(c) () -> Int32

    /// Whether this process was started with the library.
    package static let isHere = dlsym(nil, "player_fail") != nil

    /// Lets the n-th use of a call by this thread fail in `body`, or do less with `code` 0.
    ///
    /// - Returns: what `body` returns, and whether it used the call so often.
    package static func failing<R>(
        _ call: String, use: Int = 1, code: Int32, _ body: () throws -> R
    ) throws -> (result: Result<R, any Error>, isFired: Bool) {
        guard let fail = dlsym(nil, "player_fail"), let fired = dlsym(nil, "player_fired") else {
            throw Problem("the player is not preloaded")
        }
        guard unsafeBitCast(fail, to: Fail.self)(call, UInt64(use), code) == 0 else {
            throw Problem("no such call: \(call)")
        }
        let result = Result { try body() }
        return (result, unsafeBitCast(fired, to: Fired.self)() != 0)
    }
}
