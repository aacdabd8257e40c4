// Imports Foundation without its Unicode tables for the whole module. `pure-attest` links this module, and so remains
// small.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
