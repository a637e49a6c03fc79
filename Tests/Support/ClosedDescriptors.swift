package import Glibc

/// The child of posix_spawn(3) closes its descriptors from `first` on. <spawn.h> has it, and the module leaves it out.
@discardableResult
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
package func posix_spawn_file_actions_addclosefrom_np(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32
