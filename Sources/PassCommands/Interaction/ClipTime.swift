/// A time as sleep(1) takes it.
enum ClipTime {
    /// Seconds of `45`, `0.5`, `5m`, `1h`, `1d`; `nil` for anything else.
    static func seconds(_ text: [UInt8]) -> Double? {
        let factor: Double? =
            switch text.last {
            case UInt8(ascii: "s"): 1
            case UInt8(ascii: "m"): 60
            case UInt8(ascii: "h"): 3600
            case UInt8(ascii: "d"): 86_400
            default: nil
            }
        let digits = factor == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let number = Double(String(decoding: digits, as: UTF8.self))
        else { return nil }
        return number * (factor ?? 1)
    }
}
