"""Executes SQL statements from standard input in SQLite: sqlite.py [FILE].

Each line is a JSON object. A request is {"statements": [{"sql": …, "values": […]}]}; several statements run in one transaction.
The answer is {"rows": [[…]]}, with one list of rows for each statement, or {"error": …}. Blobs are {"blob": base64}. Node includes
SQLite only from version 22 on.
"""

import base64
import json
import sqlite3
import sys


def from_json(value):
    return base64.b64decode(value["blob"]) if isinstance(value, dict) else value


def to_json(value):
    return {"blob": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def run(database, statements):
    results = []
    for statement in statements:
        rows = database.execute(statement["sql"], [from_json(value) for value in statement["values"]]).fetchall()
        results.append([{key: to_json(row[key]) for key in row.keys()} for row in rows])
    return results


def main():
    database = sqlite3.connect(sys.argv[1] if len(sys.argv) > 1 else ":memory:", isolation_level=None, timeout=30)
    database.row_factory = sqlite3.Row
    for line in sys.stdin:
        statements = json.loads(line)["statements"]
        try:
            if len(statements) > 1:
                database.execute("BEGIN IMMEDIATE")
            answer = {"rows": run(database, statements)}
            if database.in_transaction:
                database.execute("COMMIT")
        except sqlite3.Error as error:
            if database.in_transaction:
                database.execute("ROLLBACK")
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
