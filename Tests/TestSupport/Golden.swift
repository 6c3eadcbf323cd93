public import Foundation

/// A recorded session: the commands of one script and what pass answered to each.
public struct Golden: Sendable {
    /// In the order of the script.
    public var exchanges: [Exchange]

    /// Takes what was recorded.
    public init(exchanges: [Exchange]) {
        self.exchanges = exchanges
    }

    /// What is wrong with the text of a golden.
    public struct SyntaxError: Error, CustomStringConvertible {
        /// The line that cannot be read.
        public let line: String
        /// Names the line.
        public var description: String { "not a line of a golden: \(line)" }
    }

    /// Reads exchanges as ``Exchange/lines`` writes them.
    ///
    /// Empty lines and comments (`#`) may stand between exchanges.
    public init(text: String) throws(SyntaxError) {
        exchanges = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("["), let end = line.firstRange(of: "] $ "),
                let number = Int(line[line.index(after: line.startIndex)..<end.lowerBound])
            {
                exchanges.append(Exchange(number: number, command: String(line[end.upperBound...])))
            } else if let last = exchanges.indices.last, !exchanges[last].add(line) {
                throw SyntaxError(line: String(line))
            }
        }
    }

    /// Reads a golden file.
    public init(contentsOf url: URL) throws {
        try self.init(text: String(contentsOf: url, encoding: .utf8))
    }
}

extension Exchange {
    /// Takes one line that follows the command; says whether it is one.
    fileprivate mutating func add(_ line: Substring) -> Bool {
        let text = String(line.dropFirst(3))
        switch line.prefix(2) {
        case "1>": output.append(text)
        case "2>": errors.append(text)
        case "> ", ">": command += "\n" + line.dropFirst(2)
        case "! ":
            guard let status = Int(line.dropFirst(2)) else {
                return false
            }
            self.status = status
        default: return false
        }
        return true
    }
}
