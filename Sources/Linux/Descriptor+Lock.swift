import CLinux

extension Descriptor {
    /// Takes the file's lock without waiting; false when somebody else has it. It belongs to the open file (OFD lock,
    /// fcntl(2)) and goes when the last copy of the descriptor is closed.
    package borrowing func lockExclusively() -> Bool { clinux_lock_exclusive(number) == 0 }
}
