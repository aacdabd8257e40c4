// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declares the parts of Apple's Security framework that the adapter uses. One dictionary stores the items. Apple
// bridges CFString and CFDictionary to String and Dictionary. In this stub, CFString and CFDictionary are type aliases
// of String and Dictionary, so the adapter's casts compile and behave as on Apple systems.
import Foundation

public typealias OSStatus = Int32
public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias CFDictionary = [String: Any]

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecUseDataProtectionKeychain: CFString = "nleg"
public let kSecReturnData: CFString = "r_Data"
public let kSecValueData: CFString = "v_Data"

public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25300
public let errSecDuplicateItem: OSStatus = -25299
public let errSecInteractionNotAllowed: OSStatus = -25308

/// The stored items, keyed by service name; `nil` while the device is locked.
nonisolated(unsafe) public var keychain: [String: Data]? = [:]

private func service(_ query: CFDictionary) -> String {
    precondition(query["class"] as? String == "genp" && query["pdmn"] as? String == "cku")
    return query["svce"] as? String ?? ""
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard let keychain else { return errSecInteractionNotAllowed }
    guard let data = keychain[service(query)] else { return errSecItemNotFound }
    if query["r_Data"] as? Bool == true { result?.pointee = NSData(data: data) }
    return errSecSuccess
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    guard let items = keychain else { return errSecInteractionNotAllowed }
    guard items[service(query)] != nil else { return errSecItemNotFound }
    keychain?[service(query)] = attributesToUpdate["v_Data"] as? Data
    return errSecSuccess
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard let items = keychain else { return errSecInteractionNotAllowed }
    guard items[service(attributes)] == nil else { return errSecDuplicateItem }
    keychain?[service(attributes)] = attributes["v_Data"] as? Data
    return errSecSuccess
}
