/// The C interface of PureAttest. libPureAttestC.so implements all functions; PureAttestWasm.wasm exports all except
/// `pure_attest_import_key`. The library contains no C code.
///
/// Each byte argument is passed as a pointer and a count. The library does not retain the pointer after the call. A
/// null pointer requires count 0. Any number of threads may call the functions concurrently, and no initialisation call
/// is needed first. Each thread needs its own verifier, because a verifier caches values between calls. (A WebAssembly
/// instance has one thread.) No function prints. If every pointer is valid for its count, no input causes a trap.

#ifndef PURE_ATTEST_H
#define PURE_ATTEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of every function that verifies an object or sets an option: 0 for success, otherwise the reason for the
/// rejection. The low byte identifies the broken rule. If a certificate was rejected, the second byte identifies the
/// broken X.509 rule. `JavaScript/Generated/reasons.mjs` lists the names of the rules, in order of their numbers from 0.
/// Two values are not verdicts:
enum {
    PURE_ATTEST_VERIFIED = 0,
    /// An argument is malformed: a negative count, a null pointer with a positive count, a null verifier or result, an
    /// undefined number, or an undefined option bit.
    PURE_ATTEST_MALFORMED_ARGUMENT = 254,
    /// A reason that this version of the header does not define.
    PURE_ATTEST_OTHER = 255,
};

/// Runs known-answer tests on the loaded library: constants, digests, signatures, Apple's certificates. Call this
/// function once at start. The self-test does not cover the verifier's rules. If the self-test fails, do not trust any
/// result of the library. In a damaged library, the call may also end the process.
///
/// Returns 0, or the number of the first part that failed:
/// 1. P-256's generator table
/// 2. SHA-256 and P-256 (RFC 6979 appendix A.2.5)
/// 3. P-384's generator table
/// 4. Apple's certificates with SHA-384 and P-384
/// 5. the precomputed tables of Apple's keys
int32_t pure_attest_self_test(void);

typedef struct pure_attest_verifier pure_attest_verifier;

enum { PURE_ATTEST_PRODUCTION = 1, PURE_ATTEST_DEVELOPMENT = 2 };
enum { PURE_ATTEST_DEVICE = 0, PURE_ATTEST_MACOS = 1 };

/// Creates a verifier that trusts Apple's roots and does not accept any app yet. Returns null if the environment is not
/// defined above. Free it with `pure_attest_verifier_destroy`.
pure_attest_verifier *pure_attest_verifier_create(int32_t environment);
void pure_attest_verifier_destroy(pure_attest_verifier *verifier);

/// Accepts an app. The App ID is UTF-8: prefix (team ID), ".", bundle ID; at most 16 MiB. To accept the app on both
/// platforms, add it once for each platform, in any order. The key's certificate says which platform applies.
int32_t pure_attest_verifier_add_app(
    pure_attest_verifier *verifier, const uint8_t *app_id, int32_t app_id_count, int32_t platform);
/// Sets the counter policy. 0 (default): each counter value must exceed all earlier values. 1: each counter value may
/// be used once, in any order within a window of 64 values.
int32_t pure_attest_verifier_set_counter_policy(pure_attest_verifier *verifier, int32_t policy);
/// Sets the clock skew in seconds; 0 by default.
int32_t pure_attest_verifier_set_clock_skew(pure_attest_verifier *verifier, int32_t seconds);

/// Selects the app whose policies the `accept`, `require`, `believe` and `limit` functions below set. `app` is an index
/// from 0, in the order of `pure_attest_verifier_add_app`. −1 (default) selects the common policies, which apply to all
/// apps without their own policies. The first call with an app's index copies the common policies to that app. If an
/// app's lists must not contain the common entries, set the app's policies before the common policies.
int32_t pure_attest_verifier_select_app(pure_attest_verifier *verifier, int32_t app);

/// Accepts a validation category of Apple's launch constraints. By default, the verifier accepts all categories that an
/// app can legitimately have. It rejects 0, 7, 8 and 9, and for a Mac app in production also 3 (development).
int32_t pure_attest_verifier_accept_category(pure_attest_verifier *verifier, int32_t category);
/// Adds a bundle version to the list of accepted versions. By default, all versions are accepted.
int32_t pure_attest_verifier_accept_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Accepts a bundle version and all later versions. Replaces the list of accepted versions.
int32_t pure_attest_verifier_require_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Adds a build to the list of accepted builds. `hash` is the SHA-256 of the build's code directory: all 32 bytes, or
/// the first 20 bytes. By default, all builds are accepted. iOS 27, macOS 27 and later include the hash in attestations
/// and assertions if the app requests the hash.
int32_t pure_attest_verifier_accept_build(pure_attest_verifier *verifier, const uint8_t *hash, int32_t hash_count);
/// Sets whether a match of the first 20 bytes suffices if the device's hash or the listed hash is only 20 bytes long.
/// Some Macs send such hashes. 0 (default): a 20-byte hash is never accepted. 1: the match suffices.
int32_t pure_attest_verifier_accept_truncated_builds(pure_attest_verifier *verifier, int32_t accepts);
/// Sets whether to accept devices that send no launch information, such as all devices before iOS 27. 1 (default):
/// accept. 0: reject.
int32_t pure_attest_verifier_accept_missing(pure_attest_verifier *verifier, int32_t accepts);
/// Sets whether to accept launch information that is not provably from the system. 0 (default): reject. 1: accept. AN
/// APP CAN FORGE SUCH INFORMATION: a modified app on a genuine device can write any category, version and build. Use 1
/// only if your clients run betas of iOS 27 or macOS 27, and if a forgery does not harm your server.
int32_t pure_attest_verifier_believe_forgeable(pure_attest_verifier *verifier, int32_t believes);

/// Sets the minimum system version for devices or for Macs (`platform`). By default, all versions are accepted. Apple
/// certifies the version when the key is attested, so assertions are checked against the version at that time. Each
/// number must be below 65,536. Pass 0 for a number that the version does not have.
int32_t pure_attest_verifier_require_system(
    pure_attest_verifier *verifier, int32_t platform, int32_t major, int32_t minor, int32_t patch);
/// Adds a system build, such as "24B91", to the list of accepted system builds. `build` is 1 to 32 bytes of ASCII. By
/// default, all system builds are accepted.
int32_t pure_attest_verifier_accept_system_build(pure_attest_verifier *verifier, const uint8_t *build, int32_t build_count);
/// Sets whether to accept prerelease systems, such as betas. 1 (default): accept. 0: reject.
int32_t pure_attest_verifier_accept_prereleases(pure_attest_verifier *verifier, int32_t accepts);
/// Sets whether a system with an unknown version or build is accepted if a policy restricts that property. 0 (default):
/// no. 1: yes.
int32_t pure_attest_verifier_accept_unknown_systems(pure_attest_verifier *verifier, int32_t accepts);

/// Sets the maximum age of an attestation, in seconds. −1 (default): only the validity period of its certificate, three
/// days to a year, limits the age.
int32_t pure_attest_verifier_limit_attestation_age(pure_attest_verifier *verifier, int32_t seconds);
/// Sets the maximum time since a key's attestation, in seconds. −1 (default): no limit. With a limit, a key whose
/// record has no attestation time is rejected.
int32_t pure_attest_verifier_limit_key_age(pure_attest_verifier *verifier, int32_t seconds);
/// Sets how far a counter may exceed the greatest value used so far. −1 (default): no limit.
int32_t pure_attest_verifier_limit_counter_step(pure_attest_verifier *verifier, int32_t step);

/// A text, truncated to the capacity of `bytes`. `count` is the length of the whole text, or −1 if the text is absent.
typedef struct { int32_t count; uint8_t bytes[64]; } pure_attest_bundle_version;
typedef struct { int32_t count; uint8_t bytes[32]; } pure_attest_text;

/// A code directory hash. `type` 2 is SHA-256, with hashes of 32 bytes, or of 20 bytes on some Macs. Hashes of other
/// types are up to 64 bytes long. `count` is the length, or −1 if the hash is absent.
typedef struct { int32_t count; uint8_t bytes[64]; uint8_t type; uint8_t reserved[3]; } pure_attest_build;

/// A key record, at most 1,024 bytes. It consists of a fixed part of 111 bytes, the system's properties, and values
/// that speed up verification.
enum { PURE_ATTEST_KEY_RECORD_CAPACITY = 1024 };
typedef struct { int32_t count; uint8_t bytes[PURE_ATTEST_KEY_RECORD_CAPACITY]; } pure_attest_key_record;

/// The facts that a verified object proves. The struct is 1,560 bytes long, and is written only if the call returns 0.
typedef struct {
    /// Apple's number of the category. −1 before iOS 27, or if the category is not provably from the system.
    int64_t validation_category;
    /// The index of the app, from 0 in the order of `pure_attest_verifier_add_app`.
    int32_t app;
    /// The object's counter; 0 for an attestation.
    uint32_t counter;
    /// The position of the receipt in the attestation. The receipt is verified only with `PURE_ATTEST_VERIFY_RECEIPT`.
    int32_t receipt_offset;
    int32_t receipt_count;
    pure_attest_bundle_version bundle_version;
    /// The system version in the leaf certificate of an attestation.
    pure_attest_text os_version;
    /// Launch information that the app may have forged. If there is none, the category is −1 and the version is absent.
    int64_t unverified_validation_category;
    pure_attest_bundle_version unverified_bundle_version;
    /// The system that Apple certified when the key was attested: the platform ("iphoneos", "macosx"), the build, and
    /// for a prerelease the kind ("Beta").
    pure_attest_text platform;
    pure_attest_text build;
    pure_attest_text release_type;
    /// The hash of the running build, on iOS 27, macOS 27 and later, if the app requests the hash.
    pure_attest_build code_directory_hash;
    /// The build hash that belongs to the unverified category and version. The app may have forged it.
    pure_attest_build unverified_launch_code_directory_hash;
    /// The 20-byte build hash that iOS 18.5 to 26 add outside the signed data. An app can forge it. No policy uses it.
    pure_attest_build unverified_code_directory_hash;
    /// The record to store under the key ID. After an assertion, replace the record that you passed with this one, by
    /// compare-and-set.
    pure_attest_key_record key_record;
    uint8_t reserved[4];
} pure_attest_result;

/// Creates the key record of a public key that a different library verified. Accepts x ‖ y (64 bytes; the two decoded
/// coordinates of a JWK), 04 ‖ x ‖ y (65 bytes, X9.63), or a SubjectPublicKeyInfo in DER (91 bytes; the content of a
/// PEM "PUBLIC KEY"). Trusts its arguments, and checks only that the key is a P-256 key. `counter` is the greatest
/// value used so far; the verifier later rejects this value and all smaller values.
///
/// The caller must decode JWK and PEM. JWK with "kty": "EC" and "crv": "P-256": the base64url of "x", then of "y", 32
/// bytes each (RFC 7518 §6.2.1). PEM: the base64 between "-----BEGIN PUBLIC KEY-----" and "-----END PUBLIC KEY-----".
int32_t pure_attest_import_key(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *app_id, int32_t app_id_count, int32_t environment,
    uint32_t counter, pure_attest_key_record *record);

enum {
    /// The argument `challenge` is already the client data hash, so the verifier does not hash it.
    PURE_ATTEST_CHALLENGE_IS_HASH = 1,
    /// Also verifies the receipt. Apple must have issued the receipt for this attestation, at most five minutes ago.
    PURE_ATTEST_VERIFY_RECEIPT = 2,
};

/// Verifies the attestation of a new key. `time`: seconds since 1970. Returns `inputTooLarge` above these limits:
/// attestation 65,536 bytes, key ID 32 bytes, challenge 16 MiB (16,777,216 bytes).
int32_t pure_attest_verify_attestation(
    pure_attest_verifier *verifier, const uint8_t *attestation, int32_t attestation_count, const uint8_t *key_id,
    int32_t key_id_count, const uint8_t *challenge, int32_t challenge_count, int32_t options, int64_t time,
    pure_attest_result *result);

/// Verifies an assertion of a stored key. The client data must equal the challenge. If `challenge_count` is negative,
/// the function omits this comparison, and the caller must check the challenge. Returns `inputTooLarge` above these
/// limits: assertion 4,096 bytes, client data and challenge 16 MiB (16,777,216 bytes) each. `time`: seconds since 1970.
/// The time matters only with a maximum key age. A time of 0 or less means unknown, and the maximum age then rejects
/// every key.
int32_t pure_attest_verify_assertion(
    pure_attest_verifier *verifier, const uint8_t *assertion, int32_t assertion_count, const uint8_t *client_data,
    int32_t client_data_count, const uint8_t *challenge, int32_t challenge_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, pure_attest_result *result);

/// The content of a verified receipt. Times are in seconds since 1970. The struct is 40 bytes long, and is written only
/// if the call returns 0.
typedef struct {
    int64_t creation_time;
    /// −1 if the receipt has no `not_before` time.
    int64_t not_before;
    int64_t expiration_time;
    /// −1 if the receipt has no risk metric. 0 is a valid metric.
    int64_t risk_metric;
    /// 1: the receipt was created with the attestation. 2: the receipt is Apple's answer to a risk query.
    int64_t kind;
} pure_attest_receipt_result;

/// Verifies a receipt of a stored key. The receipt is at most 65,536 bytes long. `maximum_age` is in seconds; a
/// negative value accepts any age.
int32_t pure_attest_verify_receipt(
    pure_attest_verifier *verifier, const uint8_t *receipt, int32_t receipt_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, int32_t maximum_age, pure_attest_receipt_result *result);

/// Verifies ECDSA with SHA-256 over P-256 (key: 04 ‖ x ‖ y, 65 bytes; signature in DER). Returns 1 if the signature is
/// valid. Returns 0 if the signature is invalid, if the key or the signature is malformed, or if the message exceeds 16
/// MiB (16,777,216 bytes).
int32_t pure_attest_verify_p256(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);
/// Verifies ECDSA with SHA-384 over P-384 (key: 97 bytes), with the same limit of 16 MiB.
int32_t pure_attest_verify_p384(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);

/// Computes the SHA-256 of a message of at most 16 MiB (16,777,216 bytes). Returns `inputTooLarge` for a longer
/// message. `digest` must have room for 32 bytes.
int32_t pure_attest_sha256(const uint8_t *message, int32_t message_count, uint8_t *digest);

#ifdef __cplusplus
}
#endif

#endif
