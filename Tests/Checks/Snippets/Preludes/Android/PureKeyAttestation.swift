import PureKeyAttestation

func store(_ record: [UInt8]) {}
@Sendable func find(_ clientData: ArraySlice<UInt8>) -> [UInt8]? { nil }

// MARK: In the function
let digest = [UInt8](repeating: 0, count: 32), fetched = Array(#"{"entries":{}}"#.utf8)
let (chain, challenge, now) = ([[UInt8]](), Example.challenge, Example.now)
let (stored, signature, clientData, issued) = ([UInt8](), [UInt8](), [UInt8](), Example.challenge[...])
