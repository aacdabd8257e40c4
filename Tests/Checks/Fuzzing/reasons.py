"""The reasons for differences between PureAttest's parsers and the other implementations. differential.py compares them."""

from disagreements import Reason, looser, stricter

# Matches the hexadecimal digits of a SubjectPublicKeyInfo with id-ecPublicKey and a curve that PureAttest supports.
OUR_KEY = "30..30..06072a8648ce3d0201(06082a8648ce3d030107|06052b81040022)03"

EXPLAINED = {
    "certificate": [
        stricter("invalidValue .*keyUsage",
                 "RFC 5280 §4.2.1.3: at least one bit of keyUsage is set; X.690 §11.2.2: no trailing zeros. PureAttest also rejects bits "
                 "that the RFC does not name, which X.680 §22.6 permits"),
        stricter("serialNumberTooLong", "RFC 5280 §4.1.2.2: serial numbers have at most 20 octets"),
        stricter("serialNumberNotPositive", "RFC 5280 §4.1.2.2: serial numbers are positive; the peer only warns"),
        stricter("signatureAlgorithmMismatch",
                 "RFC 5280 §4.1.1.2: both algorithm fields are equal; the peer compares them at verification"),
        stricter("noSubject", "RFC 5280 §4.1.2.6: the subject is empty only with a critical subjectAltName"),
        stricter("emptyList", "RFC 5280 §4.1.2.4, §4.1.2.9, §4.2.1: these lists have at least one element"),
        stricter("notWholeOctets .*signatureValue", "RFC 3279 §2.2.3: an encoded signature has whole octets"),
        stricter("fieldNotAllowedInVersion", "RFC 5280 §4.1.2.8, §4.1.2.9: the fields need a later version"),
        stricter("(tooManyExtensions|invalidValue .*basicConstraints|malformed .*basicConstraints.*an INTEGER is too large)",
                 "PureAttest's limits: Certificate.maximumExtensionCount, BasicConstraints.maximumPathLength"),
        stricter("unexpectedAlgorithmParameters", "RFC 5758 §3.2: ECDSA has no parameters", until=49),
        stricter("malformed .*policyMappings", "RFC 5280 §4.2: a malformed extension is rejected, critical or not; the peer has no type for it"),
        stricter("malformed .*nameConstraints .*bytes follow", "RFC 5280 §4.2.1.10: minimum is 0 and maximum is absent; the peer ignores both"),
        stricter("invalidCharacters .*(subjectAlternativeName|authorityInformationAccess|nameConstraints)",
                 "RFC 5280 §4.2.1.6: these names are IA5String"),
        stricter("invalidPublicKey", "SEC 1 §3.2.2.1: the point at infinity is not a public key; the peer reads it"),
        looser("InvalidVersion", "RFC 5280 §4.1: version 2 exists; the peer knows 1 and 3"),
        looser("ValueError year 0", "X.680 §46: a GeneralizedTime may be in the year 0; Python's dates start in the year 1"),
        looser(r".*(OidTooLong|InvalidValue, location: \[.*Extension::extn_id)",
               "RFC 5280 appendix B: the length of identifiers and the value of arcs are unlimited; the peer's limit is 63 octets"),
        # The two answers differ only in the key.
        Reason(r"^accepted (?P<before>([^|]*\|){6})[^|]*06072a8648ce3d0201(06082a8648ce3d0301070322000[23]|06052b810400220332000[23])[^|]*"
               r"(?P<after>\|.*) / accepted (?P=before)[^|]*(?P=after)$", "RFC 5480 §2.2: a compressed point; the peer writes it uncompressed"),
        looser("""(KeyError|TypeError oid|.*location: ."(subject|issuer)".)""",
               "RFC 5280 §4.1.2.4: an attribute's value may have any type; PureAttest compares names as bytes"),
        stricter("duplicateAttributeType", "X.501 §9.3: a relative name has each type once; the peer rejects only equal attributes"),
        stricter("invalidValue .*certificatePolicies", "RFC 5280 §4.2.1.4: each policy occurs once"),
        stricter("malformed .*a string is constructed", "X.690 §10.2: strings are primitive; the peer does not read this one"),
        looser("UnsupportedGeneralNameType", "RFC 5280 §4.2.1.6: ediPartyName is a choice; the peer does not read it"),
        Reason(rf"^accepted ([^|]*\|){{6}}(?!{OUR_KEY})[^ ]* / refused (ValueError (Invalid key|Could not deserialize)|UnsupportedAlgorithm|"
               ".*SubjectPublicKeyInfo::algorithm)", "a key that the peer does not implement: PureAttest returns it unread and rejects verification with it"),
        looser("ValueError .*(Polic|UserNotice|CpsUri)", "RFC 5280 §4.2.1.4: a policy qualifier's contents do not affect PureAttest's verdict"),
        looser("ValueError (error parsing asn1|Either full_name|.* IPv4 or IPv6 address|a relative distinguished|duplicate attr).* in extension 551d(1f|2e)",
               "RFC 5280 §4.2.1.13, §4.2.1.15: PureAttest reads distribution points when it checks revocation"),
        Reason(r"^accepted (?P<start>.*[|,]551d1f:[^|,]*810[23]0[0-7])[89a-f](?P<end>.*) / accepted (?P=start)[0-7](?P=end)$",
               "RFC 5280 §4.2.1.13: bit 0 of ReasonFlags has no meaning; the peer writes it as 0"),
        looser("ValueError error parsing asn1.* in extension 551d1[02]",
               "RFC 5280 §4.2.1.7: the issuer's other names do not affect the verdict; privateKeyUsagePeriod is from RFC 3280"),
        looser("ValueError Negative integers are not supported",
               "RFC 5280 §4.2.1.1: the serial number of the authority's certificate does not affect the verdict", ours=r"[|,]551d23:"),
        looser("ValueError encipher_only and decipher_only",
               "RFC 5280 §4.2.1.3: these bits are undefined without keyAgreement; PureAttest reads but does not use them"),
        looser("ValueError (Invalid netmask|DNSName name constraints must not|error parsing asn1).* in extension 551d1e",
               "RFC 5280 §4.2.1.10: PureAttest reads the subtrees, and rejects these, when it validates a path through the certificate"),
        looser("ValueError .* has host bits set in extension 551d1e",
               "RFC 5280 §4.2.1.10: an address and a mask; PureAttest applies the mask to both addresses, so host bits are irrelevant"),
        stricter("invalidGeneralName .*subjectAlternativeName",
                 "RFC 5280 §4.2.1.6: an address has 4 or 16 octets; the peer reads a network, which only name constraints have"),
        stricter("notWholeOctets .*subjectPublicKeyInfo", "RFC 5480 §2.2: the point has whole octets", until=49),
        looser("ValueError path_length must be None",
               "RFC 5280 §4.2.1.9: CAs must not write a path length without cA; PureAttest reads but does not use it"),
    ],
    "public": [
        stricter("malformedDER .*an invalid number of unused bits", "RFC 5480 §2.2: the point has whole octets", until=49),
    ],
    "CBOR": [
        stricter("nonMinimalHead", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
        stricter("indefiniteLength", "RFC 8949 §4.2.1: no indefinite lengths; cbor2 decodes any"),
        stricter("duplicateMapKey", "RFC 8949 §5.6: a map with duplicate keys is invalid; cbor2 keeps the last"),
        Reason(r"^accepted .*T(0|1|2|3|4|5|25|28|29|30|35|36|37|100|258|260|261|1004|43000|55799)\(",
               "cbor2 converts tagged items to Python objects or rejects them; PureAttest returns tag and content"),
        Reason(r"^accepted .*[{,](s\d+|f\w+):.* / accepted .*\{",
               "keys that Python considers equal, such as 255 and simple(255), are one key in its map"),
    ],
}
