// For the whole module: of Foundation what has no Unicode tables, so that `pure-attest`, which runs these files too, stays small.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
