/// Assertions of the app 1234567890.com.example.myapp over the text "benchmark", with the counters 1 and 2. The private
/// key of RFC 6979 appendix A.2.5 made them, because no genuine assertion may be committed.
enum MadeAssertion {
    static let publicKey = """
        hex:0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6\
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
        """
    static let clientData = "text:benchmark"

    static let assertions = [
        """
        omlzaWduYXR1cmVYRzBFAiEA6U1UKlrKEhPwLJ6xHzu2O1gw1eweGt/MEg3qq/fkB2ACIC4LLKFUyZgD7RMSv3yt8bC6nRCefjs+\
        1k0/L67pPSfgcWF1dGhlbnRpY2F0b3JEYXRhWCX0Rm1o+R62wQYgy35jxygyRGhe4dZGe1QWDnUxcgV/A0AAAAAB
        """,
        """
        omlzaWduYXR1cmVYSDBGAiEAuhTjajWbjYbLSO9ddyT60bstbiPhwIuHsVKebxdieXYCIQCkJb6KGSZgxoNC4wPZz6lwqecIUVi8\
        9SvC2RxT98TK3HFhdXRoZW50aWNhdG9yRGF0YVgl9EZtaPketsEGIMt+Y8coMkRoXuHWRntUFg51MXIFfwNAAAAAAg==
        """,
    ]
}
