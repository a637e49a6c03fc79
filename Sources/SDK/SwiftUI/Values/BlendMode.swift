/// How colors are painted on others. Nothing is painted.
public enum BlendMode: Sendable {
    /// The mode `normal`.
    case normal
    /// The mode `multiply`.
    case multiply
    /// The mode `screen`.
    case screen
    /// The mode `overlay`.
    case overlay
    /// The mode `darken`.
    case darken
    /// The mode `lighten`.
    case lighten
    /// The mode `colorDodge`.
    case colorDodge
    /// The mode `colorBurn`.
    case colorBurn
    /// The mode `softLight`.
    case softLight
    /// The mode `hardLight`.
    case hardLight
    /// The mode `difference`.
    case difference
    /// The mode `exclusion`.
    case exclusion
    /// The mode `hue`.
    case hue
    /// The mode `saturation`.
    case saturation
    /// The mode `color`.
    case color
    /// The mode `luminosity`.
    case luminosity
    /// The mode `sourceAtop`.
    case sourceAtop
    /// The mode `destinationOver`.
    case destinationOver
    /// The mode `destinationOut`.
    case destinationOut
    /// The mode `plusDarker`.
    case plusDarker
    /// The mode `plusLighter`.
    case plusLighter
}
