import PureAttestServer

func statementsModule() -> String {
    var text = """
        /**
         * Written by generate-bindings from StoreSQL of PureAttestServer: the statements of each operation, whose parameters
         * StoreSQL documents. A list of several statements is one transaction. Each statement takes the operation's
         * parameters up to the highest that it names, and the last row that any of them returns is the outcome.
         */

        """
    for (name, dialect) in [("sqlite", StoreSQL.Dialect.sqlite), ("postgreSQL", .postgreSQL)] {
        let sql = StoreSQL(dialect)
        text += "\nexport const \(name) = {\n  schema: [\n"
        for statement in sql.schema + [sql.purchaseSchema] { text += "    `\(statement)`,\n" }
        text += "  ],\n"
        let purchases = sql.purchaseOperations.map { (name: $0.name, statements: [$0.statement]) }
        for (operation, statements) in sql.operations + purchases {
            text += "  \(operation): [\n"
            for statement in statements { text += "    `\(statement)`,\n" }
            text += "  ],\n"
        }
        text += "};\n"
    }
    return text
}
