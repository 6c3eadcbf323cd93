extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let dash = UInt8(ascii: "-")
    static let equals = UInt8(ascii: "=")
}
