"""Runs statements on SQLite for a test: one JSON object per line,
{"database": number, "sql": [[text, [parameter, ...]], ...]}.

Each number names a database in memory, which its first line creates. All statements of a line are one transaction. The answer is {"rows": [[row, ...], ...]}, the rows of each statement,
or {"error": text}. Bytes are encoded as {"hex": "..."} in requests and answers.
"""
import json
import sqlite3
import sys

databases = {}


def decoded(value):
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def encoded(value):
    return {"hex": value.hex()} if isinstance(value, bytes) else value


for line in sys.stdin:
    request = json.loads(line)
    if request["database"] not in databases:
        databases[request["database"]] = sqlite3.connect(":memory:", isolation_level=None)
    database = databases[request["database"]]
    try:
        database.execute("BEGIN IMMEDIATE")
        rows = []
        for text, parameters in request["sql"]:
            cursor = database.execute(text, [decoded(value) for value in parameters])
            rows.append([[encoded(value) for value in row] for row in cursor.fetchall()])
        database.execute("COMMIT")
        answer = {"rows": rows}
    except Exception as error:  # report every error to the test
        if database.in_transaction:
            database.execute("ROLLBACK")
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
