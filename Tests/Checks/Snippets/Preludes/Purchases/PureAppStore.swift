import PureAppStore
import PureDER

// MARK: In the function
let now = Example.now
let text = Array("e30.e30.AA".utf8)
func deliver(_ product: SignedText, _ purchase: SignedText) {}
func refuse(_ error: AppStoreError) {}
