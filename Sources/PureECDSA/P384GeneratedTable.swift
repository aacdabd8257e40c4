extension P384.Signing.PrecomputedPublicKey {
    /// Computes a table with windows of the given width. Tests compare generated tables with this table.
    package init(_ publicKey: P384.Signing.PublicKey, window: Int) {
        self.publicKey = publicKey
        table = WindowTable(publicKey.point, WindowShape(window: window, partBits: P384Curve.keyShape.partBits))
    }

    /// Reads a generated constant table. Each point is x, then y; each coordinate is six limbs in the Montgomery
    /// domain, least significant limb first. Does not check the table; a test compares the generated table with a
    /// computed table. Reads the limbs one by one, because creating a span of a constant would copy the constant to the
    /// stack.
    package init(_ publicKey: P384.Signing.PublicKey, window: Int, partBits: Int, limbCount: Int, limb: (Int) -> UInt64)
    {
        let points = stride(from: 0, to: limbCount, by: 12).map { i in
            AffinePoint<P384Curve>(
                x: P384Curve.Field(limb(i), limb(i + 1), limb(i + 2), limb(i + 3), limb(i + 4), limb(i + 5)),
                y: P384Curve.Field(limb(i + 6), limb(i + 7), limb(i + 8), limb(i + 9), limb(i + 10), limb(i + 11)))
        }
        self.publicKey = publicKey
        table = WindowTable(WindowShape(window: window, partBits: partBits), points: points)
    }

    package func hasSameTable(as other: Self) -> Bool {
        table.shape == other.table.shape && table.points == other.table.points
    }
}
