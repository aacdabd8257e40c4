// Imports FoundationEssentials, which lacks Foundation's Unicode tables, for the whole module. The tool `pure-attest`
// links this module, and remains small without the tables.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
