import PureBytes
final class Box { var a: [UInt8] = []; var n = 0 }
@_expose(wasm, "probe") @c public func probe(_ bytes: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    var array = [UInt8](buffer)
    array.append(contentsOf: array.reversed())
    let box = Box(); box.a = array; box.n = array.count
    var r = ByteReader(box.a[1...])
    var filled = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: Int(count) * 3)
    filled[3] = 9
    if filled == array { return 0 }
    return Int32((try? r.readByte()) ?? 0) + Int32(filled.count)
}
