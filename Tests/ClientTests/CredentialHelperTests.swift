import Foundation
import Testing

/// `docker-credential-pass`, of Debian's golang-docker-credential-helpers.
@Suite(
    .enabled(
        if: Client.has("docker-credential-pass"),
        "Debian's golang-docker-credential-helpers is not there"
    )
)
struct DockerCredentialTests {
    private func run(_ client: Client, _ action: String, _ input: String = "") throws -> String {
        try client.run("docker-credential-pass", [action], input: Array(input.utf8)).text
    }

    @Test func storesGetsListsAndErases() throws {
        let client = try Client()
        let server = "https://registry.example.org/v1"
        let secret = #"tok'en "$x" é"#
        let credentials = ["ServerURL": server, "Username": "bob", "Secret": secret]
        _ = try run(client, "store", String(decoding: JSONEncoder().encode(credentials), as: UTF8.self))
        let answer = try JSONDecoder().decode(
            [String: String].self,
            from: Data(run(client, "get", server).utf8)
        )
        #expect(answer == credentials)
        #expect(try run(client, "list") == #"{"\#(server)":"bob"}"# + "\n")
        // No line end is added to what came from a pipe.
        let folder = "docker-credential-helpers/" + Data(server.utf8).base64EncodedString()
        #expect(try client.pass("show", folder + "/bob") == secret)
        _ = try run(client, "erase", server)
        #expect(try run(client, "list").trimmingCharacters(in: .newlines) == "{}")
    }

    @Test func storesAgainOverWhatIsThere() throws {
        let client = try Client()
        for secret in ["first", "second"] {
            _ = try run(client, "store", #"{"ServerURL":"https://a","Username":"u","Secret":"\#(secret)"}"#)
        }
        #expect(try run(client, "get", "https://a").contains(#""Secret":"second""#))
    }

    @Test func refusesWithoutAStore() throws {
        let client = try Client()
        let outcome = try client.outcome(
            "docker-credential-pass",
            ["store"],
            input: Array(#"{"ServerURL":"https://a","Username":"u","Secret":"s"}"#.utf8),
            with: ["PASSWORD_STORE_DIR": client.folder + "/none"]
        )
        #expect(outcome.status != 0)
    }
}

/// `pass-git-helper`, between the tool and a real git.
@Suite(.enabled(if: Client.has("pass-git-helper"), "Debian's pass-git-helper is not there"))
struct GitHelperTests {
    @Test func fillsGitsCredentials() throws {
        let client = try Client(["web/example": "p ss\"w'rd\nlogin: alice\n"])
        try client.write(
            "[git.example.org*]\ntarget=web/example\nusername_extractor=regex_search\n"
                + "regex_username=^login: (.*)$\n",
            to: ".config/pass-git-helper/git-pass-mapping.ini"
        )
        try client.write("[credential]\n\thelper = !pass-git-helper \"$@\"\n", to: ".gitconfig")
        let request = "protocol=https\nhost=git.example.org\n\n"
        let answer = try client.run("git", ["credential", "fill"], input: Array(request.utf8)).text
        #expect(answer == "protocol=https\nhost=git.example.org\nusername=alice\npassword=p ss\"w'rd\n")
    }

    @Test func givesNothingForAnEntryThatIsNotThere() throws {
        let client = try Client()
        try client.write("[*]\ntarget=none\n", to: ".config/pass-git-helper/git-pass-mapping.ini")
        let request = "protocol=https\nhost=git.example.org\n\n"
        let outcome = try client.outcome("pass-git-helper", ["get"], input: Array(request.utf8))
        #expect(outcome.status != 0)
        #expect(outcome.text == "")
    }
}
