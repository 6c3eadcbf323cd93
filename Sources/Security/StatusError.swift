/// Why a call is answered with another status than success.
///
/// The only error that travels inside this module.
struct StatusError: Error, Hashable {
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }
}
