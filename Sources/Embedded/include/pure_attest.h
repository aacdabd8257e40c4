/// PureAttest for callers in other languages: libPureAttestC.so, and but for `pure_attest_import_key` the exports of PureAttestWasm.wasm. An
/// interface only: no line of C is compiled into the library.
///
/// Bytes are passed as a pointer and a count, and are not kept after the call; a null pointer goes with count 0. Any number of
/// threads may call at once, from the first call of the process on, each with a verifier of its own: a verifier serves one call at a time, as it
/// keeps what it made for the next. (A WebAssembly instance has one thread.) Nothing is ever printed, and no input makes a call trap,
/// given that every pointer has the bytes that its count says.

#ifndef PURE_ATTEST_H
#define PURE_ATTEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returned by every function that verifies or sets: 0, or why not. The low byte is the rule (`JavaScript/reasons.mjs` has the names, in order
/// from 0), the second byte, for a refused certificate, the rule of X.509. Two are no verdicts on an object:
enum {
    PURE_ATTEST_VERIFIED = 0,
    /// A count below 0, null with a count above 0, a null verifier or result, or a number or a bit that no option has.
    PURE_ATTEST_MALFORMED_ARGUMENT = 254,
    /// Of a later version of the library than this header.
    PURE_ATTEST_OTHER = 255,
};

/// Whether this library, as it is stored and loaded here, computes known answers: constants, digests, signatures, Apple's certificates. 0, or
/// the part that failed first: 1 P-256's generator table, 2 SHA-256 and P-256 (RFC 6979 appendix A.2.5), 3 P-384's generator table, 4 Apple's
/// certificates with SHA-384 and P-384, 5 the tables of Apple's keys. Nothing that the library says is to be believed then; a damaged one may
/// also end the process here. For once at start; it says nothing of the verifier's rules.
int32_t pure_attest_self_test(void);

typedef struct pure_attest_verifier pure_attest_verifier;

enum { PURE_ATTEST_PRODUCTION = 1, PURE_ATTEST_DEVELOPMENT = 2 };
enum { PURE_ATTEST_DEVICE = 0, PURE_ATTEST_MACOS = 1 };

/// A verifier that trusts Apple and accepts no app yet; null for another environment than the two. Free it with
/// `pure_attest_verifier_destroy`.
pure_attest_verifier *pure_attest_verifier_create(int32_t environment);
void pure_attest_verifier_destroy(pure_attest_verifier *verifier);

/// Accepts an app: the UTF-8 of its prefix (team ID), ".", bundle ID, up to 16 MiB. An app of both platforms is added twice, in any order: the key's
/// certificate says which counts.
int32_t pure_attest_verifier_add_app(
    pure_attest_verifier *verifier, const uint8_t *app_id, int32_t app_id_count, int32_t platform);
/// 0: each counter value is greater than all before, the default. 1: each once, within a window of 64.
int32_t pure_attest_verifier_set_counter_policy(pure_attest_verifier *verifier, int32_t policy);
/// How many seconds the clock may be off; 0 by default.
int32_t pure_attest_verifier_set_clock_skew(pure_attest_verifier *verifier, int32_t seconds);

/// The calls below, up to the result, set policies: those of all apps, or after this call those of the app with this index, counted from 0 in
/// the order of `pure_attest_verifier_add_app`; after −1 again those of all apps that have none of their own. What an app has of its own begins
/// as a copy of the common policies at the first call with its index: lists that shall be its own alone are filled before the common ones.
int32_t pure_attest_verifier_select_app(pure_attest_verifier *verifier, int32_t app);

/// Accepts a validation category of Apple's launch constraints; before the first call any is accepted but those that no app
/// should have: 0, 7, 8, 9, and of a Mac app in production 3 (development).
int32_t pure_attest_verifier_accept_category(pure_attest_verifier *verifier, int32_t category);
/// Accepts a bundle version beside those of other calls; before the first call any is accepted.
int32_t pure_attest_verifier_accept_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Accepts a bundle version and all later ones, in place of what other calls accept.
int32_t pure_attest_verifier_require_version(pure_attest_verifier *verifier, const uint8_t *version, int32_t version_count);
/// Accepts a build beside those of other calls: the hash of its code directory, 32 bytes of SHA-256 or the first 20; before the first call any
/// is accepted. iOS 27 and macOS 27 and later send the hash, in attestations and assertions of apps that ask for it.
int32_t pure_attest_verifier_accept_build(pure_attest_verifier *verifier, const uint8_t *hash, int32_t hash_count);
/// Whether the first 20 bytes decide where the device, as some Macs, or the list has no more: 0, the default, or 1. Otherwise a hash of 20
/// bytes is never accepted.
int32_t pure_attest_verifier_accept_truncated_builds(pure_attest_verifier *verifier, int32_t accepts);
/// Whether devices that say none of these are accepted, as all before iOS 27: 1, the default, or 0.
int32_t pure_attest_verifier_accept_missing(pure_attest_verifier *verifier, int32_t accepts);
/// Whether launch information counts that nothing shows the system to have written: 0, the default, or 1. AN APP CAN FORGE IT: a changed app on
/// a genuine device writes any category, version and build there. For servers that meet betas of iOS 27 and macOS 27 and lose nothing by it.
int32_t pure_attest_verifier_believe_forgeable(pure_attest_verifier *verifier, int32_t believes);

/// The first accepted version of the system, of devices or of Macs (`platform`); by default any. Apple certified it when the key was attested,
/// and so assertions are judged as of then. Each number is below 65,536; an absent one is 0.
int32_t pure_attest_verifier_require_system(
    pure_attest_verifier *verifier, int32_t platform, int32_t major, int32_t minor, int32_t patch);
/// Accepts a build of the system ("24B91") beside those of other calls: 1 to 32 bytes of ASCII. Before the first call any is accepted.
int32_t pure_attest_verifier_accept_system_build(pure_attest_verifier *verifier, const uint8_t *build, int32_t build_count);
/// Whether systems that name a kind of release, as betas do, are accepted: 1, the default, or 0.
int32_t pure_attest_verifier_accept_prereleases(pure_attest_verifier *verifier, int32_t accepts);
/// Whether systems are accepted whose version or build is asked for and not known: 0, the default, or 1.
int32_t pure_attest_verifier_accept_unknown_systems(pure_attest_verifier *verifier, int32_t accepts);

/// How many seconds after it was made an attestation is accepted; −1, the default: as long as its certificate is valid, three days to a year.
int32_t pure_attest_verifier_limit_attestation_age(pure_attest_verifier *verifier, int32_t seconds);
/// How many seconds after its attestation a key is accepted; −1, the default: for ever. A key whose record does not say when is refused.
int32_t pure_attest_verifier_limit_key_age(pure_attest_verifier *verifier, int32_t seconds);
/// How far above the greatest one so far an assertion's counter may be; −1, the default: any number.
int32_t pure_attest_verifier_limit_counter_step(pure_attest_verifier *verifier, int32_t step);

/// A text, cut to the room that there is; `count` is its whole length, or −1 if there is none.
typedef struct { int32_t count; uint8_t bytes[64]; } pure_attest_bundle_version;
typedef struct { int32_t count; uint8_t bytes[32]; } pure_attest_text;

/// The hash of a build's code directory. `count`: 32 bytes, 20 of some Macs, up to 64 of another `type` than 2 (SHA-256), −1 if there is none.
typedef struct { int32_t count; uint8_t bytes[64]; uint8_t type; uint8_t reserved[3]; } pure_attest_build;

/// A key record: 111 bytes, what is known of the device's system, and what a server stored to verify faster, up to 1,024 in all.
enum { PURE_ATTEST_KEY_RECORD_CAPACITY = 1024 };
typedef struct { int32_t count; uint8_t bytes[PURE_ATTEST_KEY_RECORD_CAPACITY]; } pure_attest_key_record;

/// What a verified object proves. 1,560 bytes; written only if the call returns 0.
typedef struct {
    /// Apple's number; −1 before iOS 27, and where nothing shows that the system said it.
    int64_t validation_category;
    /// Which of the verifier's apps, counted from 0 in the order of their calls.
    int32_t app;
    /// The object's counter; 0 of an attestation.
    uint32_t counter;
    /// Where in the attestation the receipt is. It is verified only if that was asked for.
    int32_t receipt_offset;
    int32_t receipt_count;
    pure_attest_bundle_version bundle_version;
    /// From the leaf certificate of an attestation.
    pure_attest_text os_version;
    /// What the app can have written in place of the system; −1 and none if nothing is.
    int64_t unverified_validation_category;
    pure_attest_bundle_version unverified_bundle_version;
    /// What Apple certified of the system when the key was attested: platform ("iphoneos", "macosx"), build, and the kind of release where it is
    /// not a public one ("Beta").
    pure_attest_text platform;
    pure_attest_text build;
    pure_attest_text release_type;
    /// The build that ran, on iOS 27 and macOS 27 and later, if the app asks for it.
    pure_attest_build code_directory_hash;
    /// The build beside the unverified category and version: the app can have written it.
    pure_attest_build unverified_launch_code_directory_hash;
    /// The build that iOS 18.5 to 26 put beside everything that is signed, 20 bytes: the app can have written it, and no policy sees it.
    pure_attest_build unverified_code_directory_hash;
    /// To store under the key ID; after an assertion in place of the record that was passed, by compare-and-set.
    pure_attest_key_record key_record;
    uint8_t reserved[4];
} pure_attest_result;

/// Writes the record of a key that another library verified and a server stored: x ‖ y (64 bytes; a JWK's two coordinates, decoded), 04 ‖ x ‖ y
/// (65 bytes, X9.63), or a SubjectPublicKeyInfo in DER (91 bytes; what a PEM "PUBLIC KEY" holds). Nothing is proved of it but that it is a key
/// of P-256: what the caller passes is trusted. `counter`: the greatest value used so far; all smaller ones count as used.
/// Texts are decoded by the caller, as no JSON is read here: of a JWK that has "kty": "EC" and "crv": "P-256", the base64url of "x" and then of
/// "y", 32 bytes each (RFC 7518 §6.2.1); of PEM, the base64 between the lines "-----BEGIN PUBLIC KEY-----" and "-----END PUBLIC KEY-----".
int32_t pure_attest_import_key(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *app_id, int32_t app_id_count, int32_t environment,
    uint32_t counter, pure_attest_key_record *record);

enum {
    /// `challenge` is the client data hash itself, and not hashed.
    PURE_ATTEST_CHALLENGE_IS_HASH = 1,
    /// The receipt must be Apple's, made for this attestation and no older than five minutes.
    PURE_ATTEST_VERIFY_RECEIPT = 2,
};

/// Verifies the attestation of a new key. `time`: seconds since 1970. The attestation has up to 65,536 bytes, the key ID 32, the challenge up to
/// 16 MiB (16,777,216 bytes); more is `inputTooLarge`.
int32_t pure_attest_verify_attestation(
    pure_attest_verifier *verifier, const uint8_t *attestation, int32_t attestation_count, const uint8_t *key_id,
    int32_t key_id_count, const uint8_t *challenge, int32_t challenge_count, int32_t options, int64_t time,
    pure_attest_result *result);

/// Verifies an assertion of a stored key. The client data must be the challenge; with a negative `challenge_count` the caller compares it. The
/// assertion has up to 4,096 bytes, client data and challenge up to 16 MiB (16,777,216 bytes) each; more is `inputTooLarge`. `time`: now, seconds
/// since 1970. Only a limit of the key's age looks at it, and refuses 0 or less as not known.
int32_t pure_attest_verify_assertion(
    pure_attest_verifier *verifier, const uint8_t *assertion, int32_t assertion_count, const uint8_t *client_data,
    int32_t client_data_count, const uint8_t *challenge, int32_t challenge_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, pure_attest_result *result);

/// What a verified receipt says. Times are seconds since 1970. 40 bytes; written only if the call returns 0.
typedef struct {
    int64_t creation_time;
    /// −1 if the receipt does not say.
    int64_t not_before;
    int64_t expiration_time;
    /// −1 if the receipt does not say, which is not 0.
    int64_t risk_metric;
    /// 1 made with the attestation, 2 an answer to a risk query.
    int64_t kind;
} pure_attest_receipt_result;

/// Verifies a receipt of a stored key, up to 65,536 bytes. `maximum_age` in seconds; negative: any age.
int32_t pure_attest_verify_receipt(
    pure_attest_verifier *verifier, const uint8_t *receipt, int32_t receipt_count, const uint8_t *key_record,
    int32_t key_record_count, int64_t time, int32_t maximum_age, pure_attest_receipt_result *result);

/// ECDSA with SHA-256 over P-256 (key: 04 ‖ x ‖ y, 65 bytes), signatures in DER. Returns 1 if the signature is valid. Returns 0 if it is not, if
/// the key or the signature is malformed, and for a message of more than 16 MiB (16,777,216 bytes), whatever its signature is.
int32_t pure_attest_verify_p256(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);
/// The same with SHA-384 over P-384 (key: 97 bytes), with the same bound of 16 MiB.
int32_t pure_attest_verify_p384(
    const uint8_t *public_key, int32_t public_key_count, const uint8_t *signature, int32_t signature_count,
    const uint8_t *message, int32_t message_count);

/// SHA-256 of up to 16 MiB (16,777,216 bytes); of more, `inputTooLarge` is returned. `digest` has room for 32 bytes.
int32_t pure_attest_sha256(const uint8_t *message, int32_t message_count, uint8_t *digest);

#ifdef __cplusplus
}
#endif

#endif
