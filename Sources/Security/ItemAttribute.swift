/// What a class knows of one attribute: a line of its schema.
///
/// Reading a dictionary, checking its values, matching, the path and the fields of an entry all go by these lines.
struct ItemAttribute: Sendable {
    /// Its name in a dictionary.
    let code: AttributeCode
    /// Which values it takes.
    let kind: ValueKind
    /// Where an item keeps it.
    let place: Place
    /// Whether it is part of what makes an item unique.
    let isKey: Bool
    /// What an item without it counts as having.
    let fallback: AttributeValue?

    init(
        _ code: AttributeCode,
        _ kind: ValueKind,
        _ place: Place,
        isKey: Bool = false,
        fallback: AttributeValue? = nil
    ) {
        self.code = code
        self.kind = kind
        self.place = place
        self.isKey = isKey
        self.fallback = fallback
    }

    /// Where an item keeps an attribute.
    enum Place: Hashable, Sendable {
        /// A component of the path; the field of this name is written when the value was not a string, or when the
        /// path shortens it.
        case component(field: String)
        /// A mark at the end of the path; as with a component, the field keeps the type.
        case mark(field: String)
        /// A mark for a number, whose type the path keeps; the field is for one that is a long text.
        case numberMark(field: String)
        /// The folder of the access group, with a field for a long name, or the mark of synchronizable items.
        case location(field: String?)
        /// A field of this name.
        case field(String)
        /// Nowhere: its value is checked and then forgotten.
        case nowhere
    }

    /// The name of its field, without `keychain-`.
    var field: String? {
        switch place {
        case .component(let field), .mark(let field), .numberMark(let field), .field(let field): field
        case .location(let field): field
        case .nowhere: nil
        }
    }

    /// Whether the path says its value.
    var isInPath: Bool {
        switch place {
        case .component, .mark, .numberMark, .location: true
        case .field, .nowhere: false
        }
    }
}

/// Which values an attribute takes, and what becomes of them (SecDbItem.c).
enum ValueKind: Sendable {
    /// Text, data or a number, kept as given.
    case blob
    /// Data; text becomes its bytes, a number its four bytes.
    case data
    /// As `data`, and secret.
    case secretData
    /// A number or a Boolean; text of decimal digits becomes a number, other text stays.
    case number
    case date
    /// Text; data becomes text.
    case string
    /// One of the values of `kSecAttrAccessible`.
    case accessible
    case accessControl
    /// Data of 20 bytes.
    case digest
    /// Data of no or 16 bytes, a UUID or null.
    case user
}
