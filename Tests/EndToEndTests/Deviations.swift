import Foundation
import TestSupport

/// Where passchain answers otherwise than pass on purpose: `Golden/deviations.md`.
///
/// Each section starts with `## THEME: what is different`, gives the reason in prose, and then, in a fenced block, the
/// right answer to each command concerned, written as in a golden.
struct Deviations {
    struct Section {
        let theme: String
        let title: String
        var reason = ""
        var exchanges: [Exchange] = []
    }

    private(set) var sections: [Section] = []

    static let shared = Result {
        try Deviations(
            text: String(contentsOf: Folders.goldens.appending(path: "deviations.md"), encoding: .utf8)
        )
    }

    init(text: String) throws {
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let lines = block {
                    let golden = try Golden(text: lines.joined(separator: "\n"))
                    sections[sections.count - 1].exchanges += golden.exchanges
                }
                block = block == nil ? [] : nil
            } else if block != nil {
                block?.append(line)
            } else if line.hasPrefix("## "), let colon = line.firstRange(of: ": ") {
                let theme = line[line.index(line.startIndex, offsetBy: 3)..<colon.lowerBound]
                sections.append(Section(theme: String(theme), title: String(line[colon.upperBound...])))
            } else if line.hasPrefix("## ") {
                throw SessionFailure(description: "deviations.md: no theme in: \(line)")
            } else if !sections.isEmpty {
                sections[sections.count - 1].reason += line
            }
        }
    }

    /// What passchain is expected to answer where pass answers `golden`.
    func applied(to golden: Golden, theme: String) -> [Exchange] {
        var exchanges = golden.exchanges
        for deviation in sections.filter({ $0.theme == theme }).flatMap(\.exchanges) {
            if let index = exchanges.firstIndex(where: { $0.number == deviation.number }) {
                exchanges[index] = deviation
            }
        }
        return exchanges
    }

    /// What is wrong with the sections on a theme: all that would make a deviation say nothing.
    func faults(golden: Golden, theme: String) -> [String] {
        var seen: Set<Int> = []
        return sections.filter { $0.theme == theme }.flatMap { section in
            var faults = section.reason.isEmpty ? ["no reason is given"] : []
            faults += section.exchanges.isEmpty ? ["no command is given"] : []
            for deviation in section.exchanges {
                let recorded = golden.exchanges.first { $0.number == deviation.number }
                if recorded?.command != deviation.command {
                    let now = golden.exchanges.filter { $0.command == deviation.command }.map(\.number)
                    faults.append(
                        "[\(deviation.number)] is another command; `\(deviation.command)` is \(now)"
                    )
                } else if recorded == deviation {
                    faults.append("[\(deviation.number)] is what pass answers")
                }
                if !seen.insert(deviation.number).inserted {
                    faults.append("[\(deviation.number)] is given twice")
                }
            }
            return faults.map { "deviations.md, \(theme): \(section.title): \($0)" }
        }
    }
}
