// The public types of PureAttestServerCore belong to this module's interface.
@_exported public import PureAttestServerCore
