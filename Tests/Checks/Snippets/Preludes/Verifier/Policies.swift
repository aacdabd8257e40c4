import PureAttest

// MARK: In the function
let hashes: [CodeDirectoryHash] = []
@Sendable func isSupported(_ version: BundleVersion) -> Bool { true }
@Sendable func isReleased(_ build: CodeDirectoryHash) -> Bool { true }
let phoneApp = AppID(teamID: "A1B2C3D4E5", bundleID: "com.example.app")
let macApp = AppID(teamID: "A1B2C3D4E5", macOSSigningIdentifier: "com.example.mac")
