import Foundation

// Short forms of the dictionaries that most tests use.

func genp(_ more: [String: Any] = [:]) -> [String: Any] { ["class": "genp"].merging(more) { $1 } }
func inet(_ more: [String: Any] = [:]) -> [String: Any] { ["class": "inet"].merging(more) { $1 } }
func item(_ account: String = "a", _ service: String = "s", _ more: [String: Any] = [:]) -> [String:
    Any]
{
    genp(["acct": account, "svce": service]).merging(more) { $1 }
}
func secret(_ text: String) -> Data { Data(text.utf8) }
var oneSecret: [String: Any] { ["v_Data": secret("x")] }
var noLimit: [String: Any] { ["m_Limit": "m_LimitAll"] }
