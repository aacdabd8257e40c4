// Imports Foundation without its Unicode tables for the whole module, so that `pure-attest`, which also runs these
// files, remains small.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
