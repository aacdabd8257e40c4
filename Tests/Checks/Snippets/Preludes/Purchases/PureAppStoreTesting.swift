import PureAppStore
import PureAppStoreTesting
import PureDER
import PureX509

// MARK: In the function
let now = Example.now
func check(_ isRejected: Bool) { precondition(isRejected) }
