import PureJSON

// MARK: In the function
let bytes = Array(#"{"transactionId":"2000000000000001","price":4990}"#.utf8)
func use(_ id: ArraySlice<UInt8>, _ price: Int64) {}
