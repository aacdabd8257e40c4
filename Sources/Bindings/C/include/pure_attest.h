/// The C interface of PureAttest: libPureAttestC.so, and the exports of PureAttestWasm.wasm except
/// `pure_attest_import_key`. No C is compiled into the library.
///
/// Bytes are passed as a pointer and a count, and are not retained after the call; a null pointer requires count 0. Any
/// number of threads may call concurrently, from the first call of the process on. Each thread needs its own verifier,
/// because a verifier caches values between calls. (A WebAssembly instance has one thread.) No call prints. No input
/// makes a call trap if every pointer is valid for its count.

#ifndef PURE_ATTEST_H
#define PURE_ATTEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The result of every function that verifies or sets: 0, or the reason. The low byte is the rule
/// (`JavaScript/reasons.mjs` has the names, in order from 0); the second byte is the X.509 rule of a rejected
/// certificate. Two values are not verdicts:
enum {
    PURE_ATTEST_VERIFIED = 0,
    /// A count below 0, null with a count above 0, a null verifier or result, or an undefined number or option bit.
    PURE_ATTEST_MALFORMED_ARGUMENT = 254,
    /// A reason from a later version of the library than this header.
    PURE_ATTEST_OTHER = 255,
};

/// Tests known answers of this library as it is loaded: constants, digests, signatures, Apple's certificates. Call it
/// once at start. It does not test the verifier's rules. After a failure do not trust any result; a damaged library may
/// also end the process here.
///
/// Returns 0, or the part that failed first:
/// 1. P-256's generator table
/// 2. SHA-256 and P-256 (RFC 6979 appendix A.2.5)
/// 3. P-384's generator table
/// 4. Apple's certificates with SHA-384 and P-384
/// 5. the tables of Apple's keys
int32_t pure_attest_self_test(void);

typedef struct pure_attest_verifier pure_attest_verifier;

enum { PURE_ATTEST_PRODUCTION = 1, PURE_ATTEST_DEVELOPMENT = 2 };
enum { PURE_ATTEST_DEVICE = 0, PURE_ATTEST_MACOS = 1 };

/// Creates a verifier that trusts Apple and accepts no app yet; null for any other environment. Free it with
/// `pure_attest_verifier_destroy`.
pure_attest_verifier *pure_attest_verifier_create(int32_t environment);
void pure_attest_verifier_destroy(pure_attest_verifier *verifier);

/// Accepts an app: the UTF-8 of its prefix (team ID), ".", bundle ID, up to 16 MiB. Add an app for both platforms
/// twice, in any order: the key's certificate says which platform applies.
int32_t pure_attest_verifier_add_app(
    pure_attest_verifier *verifier, const uint8_t *app_id, int32_t app_id_count, int32_t platform);
/// Sets the counter policy. 0, the default: each value exceeds all before. 1: each value once, within a window of 64.
int32_t pure_attest_verifier_set_counter_policy(pure_attest_verifier *verifier, int32_t policy);
/// Sets the clock skew in seconds; 0 by default.
int32_t pure_attest_verifier_set_clock_skew(pure_attest_verifier *verifier, int32_t seconds);

/// Selects the app whose policies the calls below set, up to the result: an index from 0 in the order of
/// `pure_attest_verifier_add_app`. −1, the default, selects the common policies of all apps without their own. An app's
/// own policies begin as a copy of the common policies, at the first call with its index. To keep the common lists out
/// of an app's lists, fill the app's lists first.
int32_t pure_attest_verifier_select_app(pure_attest_verifier *verifier, int32_t app);

/// Accepts a validation category of Apple's launch constraints. By default all are accepted except categories that no
/// app should have: 0, 7, 8, 9, and for a Mac app in production 3 (development).
int32_t pure_attest_verifier_accept_category(pure_attest_verifier *verifier, int32_t category);
/// Accepts a bundle version besides those set by other calls; by default all are accepted.
int32_t pure_attest_verifier_accept_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Accepts a bundle version and all later ones, and replaces the versions of other calls.
int32_t pure_attest_verifier_require_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Accepts a build besides those set by other calls: the hash of its code directory, 32 bytes of SHA-256 or the first
/// 20. By default all are accepted. iOS 27, macOS 27 and later send the hash, in attestations and assertions of apps
/// that request it.
int32_t pure_attest_verifier_accept_build(pure_attest_verifier *verifier, const uint8_t *hash, int32_t hash_count);
/// Accepts builds by the first 20 bytes, if the device (as some Macs) or the list has no more: 0, the default, or 1. By
/// default a hash of 20 bytes is never accepted.
int32_t pure_attest_verifier_accept_truncated_builds(pure_attest_verifier *verifier, int32_t accepts);
/// Accepts devices that report no launch information, such as all before iOS 27: 1, the default, or 0.
int32_t pure_attest_verifier_accept_missing(pure_attest_verifier *verifier, int32_t accepts);
/// Accepts launch information that is not provably from the system: 0, the default, or 1. AN APP CAN FORGE IT: a
/// modified app on a genuine device can write any category, version and build. Only for servers with clients on betas
/// of iOS 27 and macOS 27 to which a forgery does no harm.
int32_t pure_attest_verifier_believe_forgeable(pure_attest_verifier *verifier, int32_t believes);

/// Sets the first accepted system version, of devices or of Macs (`platform`); by default all are accepted. Apple
/// certified the version when the key was attested, so assertions are judged by that version. Each number is below
/// 65,536; an absent one is 0.
int32_t pure_attest_verifier_require_system(
    pure_attest_verifier *verifier, int32_t platform, int32_t major, int32_t minor, int32_t patch);
/// Accepts a system build ("24B91") besides those set by other calls: 1 to 32 bytes of ASCII. By default all are
/// accepted.
int32_t pure_attest_verifier_accept_system_build(pure_attest_verifier *verifier, const uint8_t *build, int32_t build_count);
/// Accepts prerelease systems, which name a kind of release, such as betas: 1, the default, or 0.
int32_t pure_attest_verifier_accept_prereleases(pure_attest_verifier *verifier, int32_t accepts);
/// Accepts systems whose version or build is required but unknown: 0, the default, or 1.
int32_t pure_attest_verifier_accept_unknown_systems(pure_attest_verifier *verifier, int32_t accepts);

/// Sets the maximum age of an attestation in seconds; −1, the default: while its certificate is valid, three days to a
/// year.
int32_t pure_attest_verifier_limit_attestation_age(pure_attest_verifier *verifier, int32_t seconds);
/// Sets the maximum age of a key since its attestation in seconds; −1, the default: no limit. A key whose record has no
/// attestation time is rejected.
int32_t pure_attest_verifier_limit_key_age(pure_attest_verifier *verifier, int32_t seconds);
/// Sets the maximum counter step above the greatest value so far; −1, the default: no limit.
int32_t pure_attest_verifier_limit_counter_step(pure_attest_verifier *verifier, int32_t step);

/// A text, truncated to its capacity; `count` is its whole length, or −1 if it is absent.
typedef struct { int32_t count; uint8_t bytes[64]; } pure_attest_bundle_version;
typedef struct { int32_t count; uint8_t bytes[32]; } pure_attest_text;

/// A code directory hash. `count`: 32 bytes, 20 on some Macs, up to 64 for any other `type` than 2 (SHA-256), −1 if
/// absent.
typedef struct { int32_t count; uint8_t bytes[64]; uint8_t type; uint8_t reserved[3]; } pure_attest_build;

/// A key record: 111 bytes, the system's properties, and values that speed up verification; up to 1,024 bytes in all.
enum { PURE_ATTEST_KEY_RECORD_CAPACITY = 1024 };
typedef struct { int32_t count; uint8_t bytes[PURE_ATTEST_KEY_RECORD_CAPACITY]; } pure_attest_key_record;

/// The facts that a verified object proves. 1,560 bytes; written only if the call returns 0.
typedef struct {
    /// Apple's number; −1 before iOS 27, or if it is not provably from the system.
    int64_t validation_category;
    /// The index of the app, from 0 in the order of `pure_attest_verifier_add_app`.
    int32_t app;
    /// The object's counter; 0 for an attestation.
    uint32_t counter;
    /// The receipt's place in the attestation. The receipt is verified only on request.
    int32_t receipt_offset;
    int32_t receipt_count;
    pure_attest_bundle_version bundle_version;
    /// From the leaf certificate of an attestation.
    pure_attest_text os_version;
    /// Launch information that the app may have written; −1 and absent if there is none.
    int64_t unverified_validation_category;
    pure_attest_bundle_version unverified_bundle_version;
    /// The system as Apple certified it when the key was attested: platform ("iphoneos", "macosx"), build, and for a
    /// prerelease its kind ("Beta").
    pure_attest_text platform;
    pure_attest_text build;
    pure_attest_text release_type;
    /// The running build, on iOS 27, macOS 27 and later, if the app requests it.
    pure_attest_build code_directory_hash;
    /// The build beside the unverified category and version; the app may have written it.
    pure_attest_build unverified_launch_code_directory_hash;
    /// The build that iOS 18.5 to 26 add outside the signed data, 20 bytes. The app may have written it, and no policy
    /// uses it.
    pure_attest_build unverified_code_directory_hash;
    /// Store it under the key ID. After an assertion it replaces the record that was passed, by compare-and-set.
    pure_attest_key_record key_record;
    uint8_t reserved[4];
} pure_attest_result;

/// Writes the record of a key that another library verified and a server stored. Accepts x ‖ y (64 bytes; a JWK's two
/// decoded coordinates), 04 ‖ x ‖ y (65 bytes, X9.63), or a SubjectPublicKeyInfo in DER (91 bytes; the content of a PEM
/// "PUBLIC KEY"). Trusts every argument, and checks only that the key is a P-256 key. `counter`: the greatest value
/// used so far; it and all smaller values are rejected later.
///
/// The caller decodes texts. JWK with "kty": "EC" and "crv": "P-256": the base64url of "x", then of "y", 32 bytes each
/// (RFC 7518 §6.2.1). PEM: the base64 between "-----BEGIN PUBLIC KEY-----" and "-----END PUBLIC KEY-----".
int32_t pure_attest_import_key(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *app_id, int32_t app_id_count, int32_t environment,
    uint32_t counter, pure_attest_key_record *record);

enum {
    /// `challenge` is the client data hash itself; it is not hashed again.
    PURE_ATTEST_CHALLENGE_IS_HASH = 1,
    /// The receipt must be Apple's, made for this attestation and no older than five minutes.
    PURE_ATTEST_VERIFY_RECEIPT = 2,
};

/// Verifies the attestation of a new key. `time`: seconds since 1970. Limits: attestation 65,536 bytes, key ID 32,
/// challenge 16 MiB (16,777,216 bytes); above them the result is `inputTooLarge`.
int32_t pure_attest_verify_attestation(
    pure_attest_verifier *verifier, const uint8_t *attestation, int32_t attestation_count, const uint8_t *key_id,
    int32_t key_id_count, const uint8_t *challenge, int32_t challenge_count, int32_t options, int64_t time,
    pure_attest_result *result);

/// Verifies an assertion of a stored key. The client data must equal the challenge; with a negative `challenge_count`
/// the caller compares it. Limits: assertion 4,096 bytes, client data and challenge 16 MiB (16,777,216 bytes) each;
/// above them the result is `inputTooLarge`. `time`: seconds since 1970. Only a maximum key age uses it, and rejects 0
/// or less as unknown.
int32_t pure_attest_verify_assertion(
    pure_attest_verifier *verifier, const uint8_t *assertion, int32_t assertion_count, const uint8_t *client_data,
    int32_t client_data_count, const uint8_t *challenge, int32_t challenge_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, pure_attest_result *result);

/// The content of a verified receipt. Times are seconds since 1970. 40 bytes; written only if the call returns 0.
typedef struct {
    int64_t creation_time;
    /// −1 if the receipt has no such time.
    int64_t not_before;
    int64_t expiration_time;
    /// −1 if the receipt has no metric, which differs from 0.
    int64_t risk_metric;
    /// 1: created with the attestation; 2: an answer to a risk query.
    int64_t kind;
} pure_attest_receipt_result;

/// Verifies a receipt of a stored key, up to 65,536 bytes. `maximum_age` in seconds; negative: any age.
int32_t pure_attest_verify_receipt(
    pure_attest_verifier *verifier, const uint8_t *receipt, int32_t receipt_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, int32_t maximum_age, pure_attest_receipt_result *result);

/// Verifies ECDSA with SHA-256 over P-256 (key: 04 ‖ x ‖ y, 65 bytes; signature in DER). Returns 1 if the signature is
/// valid. Returns 0 if it is invalid, if the key or the signature is malformed, or if the message exceeds 16 MiB
/// (16,777,216 bytes).
int32_t pure_attest_verify_p256(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);
/// Verifies ECDSA with SHA-384 over P-384 (key: 97 bytes), with the same limit of 16 MiB.
int32_t pure_attest_verify_p384(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);

/// Computes the SHA-256 of up to 16 MiB (16,777,216 bytes); returns `inputTooLarge` above. `digest` has room for 32
/// bytes.
int32_t pure_attest_sha256(const uint8_t *message, int32_t message_count, uint8_t *digest);

#ifdef __cplusplus
}
#endif

#endif
