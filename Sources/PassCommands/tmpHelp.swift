internal import CommandGrammar
struct HelpText {
    let commands: [Command]; let program: Word; let clipTime: Word; let generatedLength: Word;
    let editor: Word
    var text: String { "Usage" }
}
