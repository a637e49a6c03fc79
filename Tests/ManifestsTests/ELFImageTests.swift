import Foundation
import Manifests
import Testing

@Suite struct ELFImageTests {
    /// The libraries are the seeds of the fuzz target; `Fuzz/make-elf-seeds.sh` shows their source.
    private static func seed(_ name: String) throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appendingPathComponent("Fuzz/corpus/elf/\(name)")))
    }

    private static let libraries = [
        "x86_64-gnu.so", "x86_64-sysv.so", "x86_64-both.so", "aarch64.so", "powerpc.so", "i386.so",
    ]

    @Test("Exported symbols are found, and no others", arguments: libraries)
    func symbols(_ name: String) throws {
        try Self.seed(name).withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(image.kind(of: "exported") == .function)
            #expect(image.kind(of: "weak_function") == .function)
            #expect(image.kind(of: "protected_function") == .function)
            #expect(image.kind(of: "object_symbol") == .object)
            #expect(image.kind(of: "keep") == .object)
            for absent in [
                "hidden_function", "local_function", "undefined_function", "thread_symbol", "export", "exportedd", "",
                "exported\0", "_DYNAMIC_",
            ] {
                #expect(!image.exports(absent), "\(absent)")
            }
        }
    }

    @Test(
        "The header says machine, word size and byte order",
        arguments: [
            ("x86_64-gnu.so", "x86_64", true, false, 3), ("aarch64.so", "aarch64", true, false, 3),
            ("powerpc.so", "powerpc", false, true, 3), ("i386.so", "i386", false, false, 3),
            ("x86_64-object", "x86_64", true, false, 1),
        ] as [(String, String, Bool, Bool, UInt16)])
    func header(_ name: String, _ machine: String, _ is64Bit: Bool, _ isBigEndian: Bool, _ type: UInt16) throws {
        try Self.seed(name).withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(image.machineName == machine)
            #expect(image.is64Bit == is64Bit)
            #expect(image.isBigEndian == isBigEndian)
            #expect(image.type == type)
        }
    }

    @Test("An address gets the name of the function around it")
    func addresses() throws {
        try Self.seed("x86_64-symbols.so").withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            // As nm -S prints them; the first is in the full table alone.
            let functions: [(String, UInt64, UInt64)] = [("local_function", 0x1ba, 5), ("exported", 0x1bf, 9)]
            for (function, start, size) in functions {
                for distance in [0, size - 1] {
                    let place = try #require(image.function(at: start + distance))
                    #expect(place.name == function && place.distance == distance)
                }
            }
            for absent: UInt64 in [0, 1, .max] { #expect(image.function(at: absent) == nil) }
        }
    }

    @Test(
        "Needed libraries are listed",
        arguments: [("x86_64-gnu.so", ["libz.so.1"]), ("aarch64.so", []), ("x86_64-program", ["libc.so.6"])])
    func needed(_ name: String, _ libraries: [String]) throws {
        let needed = try Self.seed(name).withUnsafeBytes { try ELFImage(Array($0)).needed }
        #expect(needed == libraries)
    }

    @Test func aVersionThatOnlyDlvsymFindsIsNotExported() throws {
        try Self.seed("x86_64-versions.so").withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(image.exports("api"))
            #expect(!image.exports("retired"))
        }
    }

    @Test(
        "A file that cannot be loaded says why",
        arguments: [
            ("aarch64.so", "is for aarch64; this machine is x86_64"),
            ("powerpc.so", "is for powerpc; this machine is x86_64"),
            ("x86_64-object", "is an object file; a shared library is expected (link it with -shared)"),
            (
                "x86_64-program",
                "is a position-independent program; a shared library is expected (link it with -shared)"
            ),
        ])
    func notLoadable(_ name: String, _ message: String) throws {
        try Self.seed(name).withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            let error = #expect(throws: ELFError.self) { try image.checkLoadable(on: ELFMachine(number: 62)) }
            #expect(error?.description == message)
        }
    }

    @Test func aLibraryOfItsMachineIsLoadable() throws {
        try Self.seed("x86_64-gnu.so").withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(throws: Never.self) { try image.checkLoadable(on: ELFMachine(number: 62)) }
        }
    }

    @Test func wordSizeAndByteOrderAreChecked() throws {
        try Self.seed("i386.so").withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(throws: ELFError.otherWordSize(bits: 32, expected: 64)) {
                try image.checkLoadable(on: image.machine)
            }
        }
        // A 64-bit header alone, in the other byte order.
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 2, 1] + [UInt8](repeating: 0, count: 57)
        bytes[17] = 3
        bytes[19] = 62
        try bytes.withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(throws: ELFError.otherByteOrder(isBigEndian: true)) { try image.checkLoadable(on: image.machine) }
        }
    }

    @Test func aLibraryWithoutDynamicSectionIsNotLoadable() throws {
        var bytes = try Self.seed("x86_64-gnu.so")
        // e_phnum
        bytes[56] = 0
        bytes[57] = 0
        try bytes.withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(throws: ELFError.notDynamic) { try image.checkLoadable(on: image.machine) }
            #expect(!image.exports("exported"))
        }
    }

    @Test(
        "What is no ELF file is refused with a sentence",
        arguments: [
            ("", "is empty; an ELF shared library is expected"),
            ("#!/bin/sh\n", "is a script; an ELF shared library is expected"),
            ("{}", "is not an ELF file (it begins with 7b 7d); a shared library is expected"),
            ("/* GNU ld script */", "is not an ELF file (it begins with 2f 2a 20 47); a shared library is expected"),
            ("\u{7F}ELF", "ends within its header; build or copy it again"),
            ("\u{7F}ELF\u{3}\u{1}0123456789abcdef", "is damaged (its class is 3); build or copy it again"),
            ("\u{7F}ELF\u{2}\u{3}0123456789abcdef", "is damaged (its byte order is 3); build or copy it again"),
        ])
    func notELF(_ text: String, _ message: String) {
        let error = Array(text.utf8).withUnsafeBytes { bytes in
            #expect(throws: ELFError.self) { _ = try ELFImage(Array(bytes)) }
        }
        #expect(error?.description == message)
    }

    @Test("A library that was cut short never traps, and is never believed whole", arguments: libraries)
    func truncated(_ name: String) throws {
        let whole = try Self.seed(name)
        var refused = 0
        for count in 0..<whole.count {
            whole[..<count].withUnsafeBytes { bytes in
                do throws(ELFError) {
                    _ = try ELFImage(Array(bytes)).exports("exported")
                } catch {
                    refused += 1
                    #expect(!error.description.isEmpty)
                }
            }
        }
        // At least everything before the end of the program headers.
        #expect(refused > 64)
    }

    @Test("A library with one wrong byte never traps", arguments: libraries)
    func corrupted(_ name: String) throws {
        let whole = try Self.seed(name)
        var read = 0
        for index in 4..<whole.count {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where whole[index] != value {
                var bytes = whole
                bytes[index] = value
                bytes.withUnsafeBytes { bytes in
                    do throws(ELFError) {
                        let image = try ELFImage(Array(bytes))
                        #expect(image.needed.count <= ELFImage.maximumNeeded)
                        for name in ["exported", "object_symbol", "nothing"] where image.exports(name) { read += 1 }
                    } catch {
                        return
                    }
                }
            }
        }
        #expect(read > 0)
    }

    @Test func theLibraryOfThisProcessIsReadAsItsLoaderReadIt() throws {
        // Not from /proc/self/maps: it changes while it is read, for other tests map and unmap meanwhile.
        let folders = ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib"]
        let path = try #require(
            folders.map { $0 + "/libc.so.6" }.first { FileManager.default.fileExists(atPath: $0) })
        try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
            let image = try ELFImage(Array(bytes))
            #expect(throws: Never.self) { try image.checkLoadable() }
            // memcpy is an indirect function, environ an object.
            #expect(image.kind(of: "nftw") == .function)
            #expect(image.kind(of: "memcpy") == .function)
            #expect(image.kind(of: "environ") == .object)
            #expect(!image.exports("taskhost_application_v1"))
        }
    }
}
