extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let dash = UInt8(ascii: "-")
    static let equals = UInt8(ascii: "=")
}
