// The names of the rules belong to this module's interface.
@_exported public import PureAttestServerCore
