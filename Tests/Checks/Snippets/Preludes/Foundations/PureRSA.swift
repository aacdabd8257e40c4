import PureBytes

// MARK: In the function
// OpenSSL generated the key and the signature: openssl genrsa 2048; printf hello | openssl dgst -sha256 -sign …
let message = [UInt8]("hello".utf8)
let keyBytes = try Base64.decode(
    """
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAl/bvOEbADJcf5JuHb9fkooF/JttYXOK8GcTfbsJKyQCRC+vrfxpwtNSPfI1ZSDXUd4Ew\
    kvJs9eNhNPM4OYLJ9SmGVyZT/CU0JKm9fkHG6IEfPaa8a8VrsOXtc/2xvxQrW7KcArhbXGE+XmEmy+KD7Av8/2lBUbfUTX229wIgNcOP2z9pvG8R\
    /pG8DIWecG8EXsDTNSL1uebUothey3XwOhIYSwQ7XIvn+wVvbS11JCHCWJpo5uSgoaoh2Io5a+sFEE5WGbP5AE1mCI8TNZcHzQ8WlO90HYjYz6WS\
    dlLX9Dm4egZHKDtFeA9+CrRPhLBzSZlY0afo5q4lPR/5L64n7QIDAQAB
    """.utf8)
let signatureBytes = try Base64.decode(
    """
    RsAVfAvEmcOzuo+WokMXyV4UOdwPPCSGC1I7YCZ+JA9+ONqEhuXz59aFOebXltFl5C/QT2cEBW6ghRbJ1BJeiHTTZw2IXJX3N7JYR6H1iV5ZJodc\
    ooJw9KTvPoWLu2VLFcODxrjIaz5oRBjoqJnPIQxaz5JKGmQCkKkFAmN4YgOZLcZ3gJXFo5M/Y8aa1zCdXtZ/knqvXV/uXG//K6DV9wb1OKyaQQC6\
    823KlBNvsT3DJUh2SYNDjeQDhx6MzTVo2mfkvsbKOf2gEh+p1GEEXEcPRXrL7RP5aNxYAUVKoPe3QYK/2SJYIYwJW1TsTuD7HScYF+De/b3By7Jm\
    bAwt8Q==
    """.utf8)
