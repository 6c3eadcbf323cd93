import Foundation
import Testing

@testable import Security

/// One case: calls on an empty store, and what each must answer.
struct ConformanceCase: CustomTestStringConvertible, Sendable {
    let number: String
    let source: String
    let steps: [Step]

    var testDescription: String { "\(number) [\(source)]" }

    init(_ number: String, _ source: String, _ steps: Step...) {
        self.number = number
        self.source = source
        self.steps = steps
    }

    /// One call, the status it must answer, and the shape of its result.
    struct Step: @unchecked Sendable {
        // Unchecked: the dictionaries are never changed.
        let call: Call
        let status: OSStatus
        let shape: Shape

        static func add(_ item: [String: Any], _ status: OSStatus, _ shape: Shape = .whatever) -> Step {
            Step(call: .add(item), status: status, shape: shape)
        }

        static func copy(_ query: [String: Any], _ status: OSStatus, _ shape: Shape = .whatever) -> Step {
            Step(call: .copy(query), status: status, shape: shape)
        }

        static func update(_ query: [String: Any], _ changes: [String: Any], _ status: OSStatus) -> Step {
            Step(call: .update(query, changes), status: status, shape: .whatever)
        }

        static func delete(_ query: [String: Any], _ status: OSStatus) -> Step {
            Step(call: .delete(query), status: status, shape: .whatever)
        }
    }

    enum Call {
        case add([String: Any])
        case copy([String: Any])
        case update([String: Any], [String: Any])
        case delete([String: Any])
    }

    /// What a result looks like.
    enum Shape {
        case whatever
        case nothing
        case data(String)
        case anyData
        /// An array of so many.
        case array(Int)
        case arrayOfData([String])
        /// A dictionary with these values and without these keys.
        case dictionary([String: any Hashable & Sendable] = [:], without: [String] = [])
    }

    func run() throws {
        let store = try TestKeychain()
        for (index, step) in steps.enumerated() {
            let answer: Answer
            switch step.call {
            case .add(let item): answer = store.add(item)
            case .copy(let query): answer = store.copy(query)
            case .update(let query, let changes):
                let status = store.update(query, changes)
                answer = Answer { () throws(StatusError) in
                    if status != errSecSuccess { throw StatusError(status) }
                    return nil
                }
            case .delete(let query):
                let status = store.delete(query)
                answer = Answer { () throws(StatusError) in
                    if status != errSecSuccess { throw StatusError(status) }
                    return nil
                }
            }
            #expect(answer.status == step.status, "step \(index + 1) of \(testDescription)")
            check(answer, step.shape, index + 1)
        }
    }

    private func check(_ answer: Answer, _ shape: Shape, _ step: Int) {
        let place: Comment = "step \(step) of \(testDescription)"
        switch shape {
        case .whatever: break
        case .nothing: #expect(answer.object == nil, place)
        case .data(let text): #expect(answer.data == Data(text.utf8), place)
        case .anyData: #expect(answer.data != nil, place)
        case .array(let count): #expect(answer.list?.count == count, place)
        case .arrayOfData(let texts):
            #expect((answer.object as? [Data]) == texts.map { Data($0.utf8) }, place)
        case .dictionary(let values, let absent):
            #expect(answer.attributes != nil, place)
            for (key, value) in values {
                #expect(
                    answer.attributes?[key].flatMap { $0 as? AnyHashable } == AnyHashable(value),
                    "\(key), \(place)"
                )
            }
            for key in absent { #expect(answer.attributes?[key] == nil, "\(key), \(place)") }
        }
    }
}
