/// How many cells of a terminal a text takes, as wcwidth(3) counts: 2 for wide characters (East Asian Width W and F) and emoji, 0
/// for what is drawn onto the character before it. For text without control characters (`JSONWriter.printable`).
extension String {
    var cells: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.cells } }

    /// With spaces behind it up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - cells)) }

    /// At most so many cells of it, the last or, where its end says more, the first of them an ellipsis.
    func cut(to width: Int, keepsEnd: Bool = false) -> String {
        guard cells > width else { return self }
        guard width > 0 else { return "" }
        let rest = keepsEnd ? String(reversed()) : self
        var room = width - 1
        let kept = rest.prefix {
            room -= $0.cells
            return room >= 0
        }
        return keepsEnd ? "…" + String(kept.reversed()) : kept + "…"
    }

    /// At most so many cells of it, without a mark.
    func clipped(to width: Int) -> String {
        guard cells > width else { return self }
        var room = width
        return String(
            prefix {
                room -= $0.cells
                return room >= 0
            })
    }
}

extension Character {
    var cells: Int {
        var sum = 0
        var isJoined = false
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x200D: isJoined = sum > 1
            // A picture in place of a letter's form, and a color of skin.
            case 0xFE0F: sum = Swift.max(sum, 2)
            case 0x1F3FB...0x1F3FF where sum > 0: break
            default:
                if !isJoined { sum += scalar.cells }
                isJoined = false
            }
        }
        return sum
    }
}

extension Unicode.Scalar {
    fileprivate var cells: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and final consonants of Hangul are drawn into the syllable.
        if (0x1160...0x11FF).contains(value) { return 0 }
        // Flags are two of these letters.
        if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Blocks of East Asian Width W and F (Unicode Standard Annex 11), without emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
