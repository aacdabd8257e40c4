/// The only definition of each setting's name, help text and range. `Variables` reads only these settings.
enum Setting: String, CaseIterable {
    case database = "DATABASE"
    case sessionSecret = "SESSION_SECRET"
    case formerSessionSecret = "FORMER_SESSION_SECRET"
    case appID = "APP_ID"
    case appEnvironment = "APP_ENVIRONMENT"
    case counterPolicy = "COUNTER_POLICY"
    case launchCategories = "LAUNCH_CATEGORIES"
    case launchMinimumVersion = "LAUNCH_MINIMUM_VERSION"
    case launchVersions = "LAUNCH_VERSIONS"
    case launchBuilds = "LAUNCH_BUILDS"
    case launchTruncatedBuilds = "LAUNCH_TRUNCATED_BUILDS"
    case launchMissing = "LAUNCH_MISSING"
    case launchForgeable = "LAUNCH_FORGEABLE"
    case systemMinimumVersion = "SYSTEM_MINIMUM_VERSION"
    case systemMinimumMacOSVersion = "SYSTEM_MINIMUM_MACOS_VERSION"
    case systemBuilds = "SYSTEM_BUILDS"
    case systemPrereleases = "SYSTEM_PRERELEASES"
    case systemUnknown = "SYSTEM_UNKNOWN"
    case attestationAge = "MAXIMUM_ATTESTATION_AGE"
    case keyAge = "MAXIMUM_KEY_AGE"
    case counterStep = "MAXIMUM_COUNTER_STEP"
    case androidApps = "ANDROID_APPS"
    case androidRevocationList = "ANDROID_REVOCATION_LIST"
    case androidLevel = "ANDROID_LEVEL"
    case answers = "ANSWERS"
    case sessionUse = "SESSION_USE"
    case sessionSeconds = "SESSION_SECONDS"
    case challengeSeconds = "CHALLENGE_SECONDS"
    case host = "HOST"
    case port = "PORT"
    case addressPerMinute = "ADDRESS_PER_MINUTE"
    case enrolmentPerSecond = "ENROLMENT_PER_SECOND"
    case enrolmentPerAddress = "ENROLMENT_PER_ADDRESS"
    case enrolmentPerThousand = "ENROLMENT_PER_THOUSAND"
    case enrolmentFrom = "ENROLMENT_FROM"
    case enrolmentUntil = "ENROLMENT_UNTIL"
    case enrolmentName = "ENROLMENT_NAME"
    case processes = "PROCESSES"
    case forwardedBy = "FORWARDED_BY"
    case connections = "CONNECTIONS"
    case connectionsPerAddress = "CONNECTIONS_PER_ADDRESS"
    case headerSeconds = "HEADER_SECONDS"
    case bodySeconds = "BODY_SECONDS"
    case idleSeconds = "IDLE_SECONDS"
    case pool = "POOL"
    case storeSeconds = "STORE_SECONDS"
    case shutdownSeconds = "SHUTDOWN_SECONDS"
    case metricsToken = "METRICS_TOKEN"
    case generateURL = "GENERATE_URL"
    case generateKey = "GENERATE_KEY"
    case generateKeyHeader = "GENERATE_KEY_HEADER"
    case generateModels = "GENERATE_MODELS"
    case generateTokens = "GENERATE_TOKENS"
    case generateBytesPerToken = "GENERATE_BYTES_PER_TOKEN"
    case generateParts = "GENERATE_PARTS"
    case generateTokensMember = "GENERATE_TOKENS_MEMBER"
    case generateMembers = "GENERATE_MEMBERS"
    case generateUsage = "GENERATE_USAGE"
    case generateSeconds = "GENERATE_SECONDS"
    case budgetDays = "BUDGET_DAYS"
    case budgetRequests = "BUDGET_REQUESTS"
    case budgetUnits = "BUDGET_UNITS"
    case purchaseProducts = "PURCHASE_PRODUCTS"
    case purchaseSandboxProducts = "PURCHASE_SANDBOX_PRODUCTS"
    case purchaseKeys = "PURCHASE_KEYS"
    case appAppleID = "APP_APPLE_ID"
    case selfTest = "SELF_TEST"
    case logLevel = "LOG_LEVEL"
    case noLimits = "NO_LIMITS"
    case testAuthority = "TEST_AUTHORITY"

    static let prefix = "ATTEST_"

    var variable: String { Self.prefix + rawValue }

    var deprecatedVariable: String? {
        switch self {
        case .counterPolicy, .launchCategories, .launchMinimumVersion, .launchVersions, .launchBuilds,
            .launchTruncatedBuilds, .launchMissing, .launchForgeable, .systemMinimumVersion,
            .systemMinimumMacOSVersion, .systemBuilds, .systemPrereleases, .systemUnknown, .attestationAge, .keyAge,
            .counterStep, .sessionUse, .sessionSeconds, .challengeSeconds, .generateParts, .purchaseProducts,
            .purchaseSandboxProducts, .purchaseKeys, .appAppleID:
            nil
        default: rawValue
        }
    }

    /// The settings that this setting requires. It has no effect unless at least one of them is set. Empty if it
    /// requires no other setting.
    var requirements: [Setting] {
        switch self {
        case .androidRevocationList, .androidLevel: [.androidApps]
        case .launchTruncatedBuilds: [.launchBuilds]
        case .systemUnknown: [.systemMinimumVersion, .systemMinimumMacOSVersion, .systemBuilds, .systemPrereleases]
        case .enrolmentName: [.enrolmentPerThousand, .enrolmentFrom]
        case .generateKey, .generateKeyHeader, .generateModels, .generateTokens, .generateBytesPerToken, .generateParts,
            .generateTokensMember, .generateMembers, .generateUsage, .generateSeconds, .budgetDays, .budgetRequests,
            .budgetUnits, .purchaseProducts, .purchaseSandboxProducts, .purchaseKeys:
            [.generateURL]
        case .appAppleID: [.purchaseProducts]
        default: []
        }
    }

    var help: (text: String, range: ClosedRange<Int>?) {
        switch self {
        case .database: ("an SQLite file, postgresql://…, or memory, which forgets all keys at exit. Required", nil)
        case .sessionSecret:
            ("32 bytes or more in hexadecimal (openssl rand -hex 32), the same in all processes. Required", nil)
        case .formerSessionSecret:
            ("the previous secret until its last token expires, or the next secret before its first token", nil)
        case .appID:
            (
                "an App ID such as A1B2C3D4E5.com.example.app, or several with commas in between; a Mac app has =macOS after it. Required",
                nil
            )
        case .appEnvironment: ("production (default) or development", nil)
        case .counterPolicy:
            ("strict (default), or slidingWindow: requests of one device may overtake each other", nil)
        case .launchCategories:
            (
                "accepted distribution categories: platform, testFlight, development, appStore, enterprise, developerID, uncategorized or Apple's numbers, with commas in between. Default: any that an app can have",
                nil
            )
        case .launchMinimumVersion: ("the first accepted bundle version (CFBundleVersion)", nil)
        case .launchVersions: ("instead: the accepted bundle versions, with commas in between", nil)
        case .launchBuilds:
            ("the accepted builds as code directory hashes in hexadecimal, with commas in between", nil)
        case .launchTruncatedBuilds: ("1: compare 20 bytes where the device or the list has no more. Default 0", nil)
        case .launchMissing:
            ("0: reject devices that send no launch information, such as all before iOS 27. Default 1", nil)
        case .launchForgeable:
            ("1: believe launch information that a modified app can forge, as betas of iOS 27 send it. Default 0", nil)
        case .systemMinimumVersion: ("the first accepted system version of devices, such as 18.0", nil)
        case .systemMinimumMacOSVersion: ("the first accepted version of macOS", nil)
        case .systemBuilds: ("the accepted system builds, such as 24B91, with commas in between", nil)
        case .systemPrereleases: ("0: reject betas and internal releases. Default 1", nil)
        case .systemUnknown: ("1: accept systems whose version or build is unknown. Default 0", nil)
        case .attestationAge: ("the greatest age of an attestation in seconds", 0...2_147_483_647)
        case .keyAge: ("the greatest age of a key in seconds; after it the device attests a new one", 0...2_147_483_647)
        case .counterStep: ("how far an assertion's counter may be above the last one", 0...2_147_483_647)
        case .androidApps:
            (
                "accepted Android apps: package=digest, with commas in between. A digest is the SHA-256 of a signing certificate in hexadecimal; several have + in between",
                nil
            )
        case .androidRevocationList:
            (
                "a file with Google's list (android.googleapis.com/attestation/status), read again when it changes; needed with ATTEST_ANDROID_APPS. A list older than three days registers no Android key",
                nil
            )
        case .androidLevel: ("the least protection of Android keys: tee (default) or strongbox", nil)
        case .answers: ("precise (default), or uniform: one answer for every refusal that depends on a key", nil)
        case .sessionUse: ("untilRevoked (default), untilExpiry (asks no store) or once", nil)
        case .sessionSeconds: ("the lifetime of a session. Default 900", 1...86_400)
        case .challengeSeconds: ("the lifetime of a challenge. Default 60", 1...300)
        case .host: ("the address to listen on. Default 127.0.0.1", nil)
        case .port: ("the port to listen on; 0 chooses a free one and prints it. Default 8080", 0...65_535)
        case .addressPerMinute:
            (
                "challenges, registrations and authentications of one client address in a minute, a sixth of them at once; 0 is unlimited. Default 600, all at once",
                0...1_000_000
            )
        case .enrolmentPerSecond:
            (
                "new keys in a second, over all processes (ATTEST_PROCESSES); 0 is unlimited. Apple advises fewer than 100. Default 50",
                0...1_000_000
            )
        case .enrolmentPerAddress:
            ("new keys of one client address in a minute; 0 is unlimited. Default 120", 0...1_000_000)
        case .enrolmentPerThousand:
            ("how many of a thousand devices may make keys, by key identifier. Default 1000", 0...1_000)
        // The range ends with the year 9999, the last year that RFC 3339 can express.
        case .enrolmentFrom:
            (
                "instead: a gradual roll-out from this moment until ATTEST_ENROLMENT_UNTIL, in seconds since 1970",
                0...253_402_300_799
            )
        case .enrolmentUntil: ("the end of the roll-out of ATTEST_ENROLMENT_FROM", 0...253_402_300_799)
        case .enrolmentName: ("the name of the roll-out; another name gives each device another place", nil)
        case .processes:
            (
                "how many processes share ATTEST_ENROLMENT_PER_SECOND; other limits are per process. Default 1",
                1...100_000
            )
        case .forwardedBy:
            (
                "the header in which your proxy writes the client address last; it sets ATTEST_CONNECTIONS_PER_ADDRESS to 0",
                nil
            )
        case .connections: ("the most connections, within the descriptor limit. Default 10000", 1...1_000_000)
        case .connectionsPerAddress:
            ("the most connections of one client address; 0 is unlimited. Default 256", 0...1_000_000)
        case .headerSeconds: ("the deadline for a request's header. Default 10", 1...300)
        case .bodySeconds: ("the deadline for a request's body. Default 15", 1...300)
        case .idleSeconds: ("the longest pause between requests of a connection. Default 30", 1...3_600)
        case .pool: ("connections to PostgreSQL. Default 8", 1...256)
        case .storeSeconds: ("the deadline for one call of the store. Default 5", 1...60)
        case .shutdownSeconds: ("the time for requests in flight after SIGTERM or SIGINT. Default 10", 1...300)
        case .metricsToken: ("the bearer token of /metrics, 16 characters or more; without it the route is absent", nil)
        case .generateURL:
            ("a language model's chat completions, https://…; adds POST /generate, which streams from it", nil)
        case .generateKey: ("the service's own key for the model", nil)
        case .generateKeyHeader: ("the header with the key. Default Authorization, with Bearer", nil)
        case .generateModels:
            ("the models that clients may name, with commas in between; the first is the default", nil)
        case .generateTokens:
            ("the most tokens of an answer; reserved until its usage is known. Default 1024", 1...10_000_000)
        case .generateBytesPerToken:
            (
                "reserves a token for this many bytes of a request; 0 reserves none, for a usage without prompts. Default 1",
                0...1_000
            )
        case .generateParts:
            (
                "tokens reserved for each part of a message that is not text, by its type: image_url=1600,input_audio=2000. Without it only text is accepted",
                nil
            )
        case .generateTokensMember: ("the model's name for the number of tokens. Default max_tokens", nil)
        case .generateMembers: ("further members of a request that are passed on, such as temperature,top_p", nil)
        case .generateUsage: ("where an answer reports its usage. Default usage.total_tokens", nil)
        case .generateSeconds: ("the deadline for a whole answer. Default 120", 1...900)
        case .budgetDays: ("the period of each key's budget in days, counted from 1970. Default 1", 1...3_660)
        case .budgetRequests:
            ("each key's requests in a period; needed with ATTEST_GENERATE_URL", 1...9_007_199_254_740_991)
        case .budgetUnits: ("each key's tokens in a period; needed with ATTEST_GENERATE_URL", 1...9_007_199_254_740_991)
        case .purchaseProducts:
            (
                "products whose purchase replaces the budget of its keys: product=requests:tokens in a period, with commas in between. Adds POST /purchase and /notifications",
                nil
            )
        case .purchaseSandboxProducts:
            ("the same for the sandbox, in which TestFlight and App Review buy for free. Default: none counts", nil)
        case .purchaseKeys: ("the most keys of one purchase. Default 6", 1...100)
        case .appAppleID:
            (
                "the Apple ID in App Store Connect of the first app in ATTEST_APP_ID; needed with ATTEST_PURCHASE_PRODUCTS",
                1...9_007_199_254_740_991
            )
        case .selfTest: ("1: compute known answers first, and exit if one is wrong. Default 0", nil)
        case .logLevel: ("trace, debug, info (default), notice, warning, error or critical", nil)
        case .noLimits: ("1: no limits by key and address, and no enrolment rate. For load runs only", nil)
        case .testAuthority: ("a seed: trust virtual devices instead of Apple's. For tests only", 0...Int.max)
        }
    }
}
