#!/usr/bin/env python3
"""Finds the places in Sources that read a String by Character.

A client can hide a delimiter in a Character that consists of several scalars: U+0600 before a comma, U+0301 after a comma, or CR LF.

    Tests/Checks/UntrustedText/run.sh [BUILD ...]     BUILD is the folder of a build with -Onone; default: .build/debug
    Tests/Checks/UntrustedText/run.sh --list [BUILD ...]

exceptions.txt must list each place, with the reason why it is safe to read by Character there. A line that matches no place is an error too. --list prints the
places and the symbols that they use.

The check reads object files, and therefore sees the symbols that the compiler resolved. A place is a function whose code refers to

- the Collection or Sequence conformance of String or Substring,
- a member of these types, except members of their UTF-8, UTF-16 and scalar views,
- a member of StringProtocol,
- Character or Regex,

or a generic function over StringProtocol or over collections of Character. Other uses of text (`==`, `switch`, interpolation, `utf8`) are not places. Each run
first compiles samples.swift, and checks that it finds exactly the intended places there.

The builds must be without optimisation, so that the compiler specialises and inlines nothing, and every use is visible. The check does not see code that is
compiled only for other systems. The sources of Sources/Bindings must not name String, Substring or Character.

Exit status: 0 if each place has its reason, 1 if not, 2 if a build is missing or older than its sources. Needs ELF (Linux).
"""
import bisect
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ADVICE = "reads text by Character; use utf8 or [UInt8], or give the reason in Tests/Checks/UntrustedText/exceptions.txt"

# Matches the part of a mangled name after the type, for members of String and Substring that do not read Characters. Also matches the suffixes of type metadata
# and of value copies.
HARMLESS = re.compile(
    r"(21_builtinStringLiteral|19stringInterpolation|10reflecting|10describing|9repeating5countS2S|8decoding2as|10validating2as"
    r"|7cString|16validatingCString|_5radix9uppercase|25unsafeUninitializedCapacity|14contentsOfFile|11contentsOf"
    r"|ySSSshcfC|ySSSs17UnicodeScalarViewVcfC|ySSSscfC|ySSxcs25LosslessStringConvertible|ySSs7UnicodeO6ScalarVcfC"
    r"|4utf8|5utf16|11utf8CString|14unicodeScalars|8UTF8View|9UTF16View|17UnicodeScalarView|5IndexV"
    r"|7isEmptySbvg|6appendyySSF|5writeyySSF|15reserveCapacity|8withUTF8|11description|16debugDescription|9hashValue|4hash4into"
    r"|1poi|2peoi|2eeoi|1loi)"
    r"|.*(N|Mn|Ma|Mm|WO.|MD|ML|Tb|Tn|WL)$")
CONFORMANCE = re.compile(r"^\$s(SS|Ss|S2S|2sS|S2s)(ST|Sl|SK|Sm)s(WP|Mc|Wl)$")
REGEX = re.compile(r"^\$s17_StringProcessing5RegexV")
OF_OTHERS = re.compile(r"^\$s(?:SS|Ss)(\d+)([A-Za-z_0-9]+)")
# Matches the signature of a generic function over StringProtocol, or over a type whose elements are Characters.
GENERIC = re.compile(r"SyR[zd_]|SJ7ElementR|SJAAR|SJRt")


def is_trap(symbol, own):
    """Returns whether code that refers to a symbol reads text by Character."""
    if CONFORMANCE.match(symbol) or REGEX.match(symbol):
        return True
    if symbol.startswith("$sSy") and "E" in symbol[4:]:
        return True
    if symbol.startswith("$sSJ"):
        return not re.search(r"N$|WO.$|WP$|Mn$", symbol)
    if symbol.startswith(("$sSS", "$sSs")):
        other = OF_OTHERS.match(symbol)
        if other and other[2][:int(other[1])] in own:
            return False  # This script also checks the module that contains the extension.
        return not HARMLESS.match(symbol[4:]) and not symbol.endswith(("WP", "Mc", "Wl"))
    return False


def references(path):
    """Yields (function, symbol) for each symbol to which a function's code refers. Parses little-endian ELF 64."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise SystemExit(f"check.py: {path} is not an ELF object file")
    offset, = struct.unpack_from("<Q", data, 0x28)
    count, = struct.unpack_from("<H", data, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i) for i in range(count)]
    symbols, functions = [], collections.defaultdict(list)
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        strings = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", data, at)
            start = strings + name
            text = data[start:data.index(b"\0", start)].decode()
            symbols.append(text)
            if info & 15 == 2:  # STT_FUNC
                functions[index].append((value, value + size, text))
    for section in sections:
        if section[1] != 4 or section[7] not in functions:  # SHT_RELA
            continue
        code = sorted(functions[section[7]])
        starts = [item[0] for item in code]
        for at in range(section[4], section[4] + section[5], 24):
            place, info = struct.unpack_from("<QQ", data, at)
            found = bisect.bisect_right(starts, place) - 1
            if found >= 0 and place < code[found][1]:
                yield code[found][2], symbols[info >> 32]


def traps(path, own):
    """Returns {mangled name: symbols} for an object file's functions that read text by Character. The symbols show that the function does so."""
    uses, found = collections.defaultdict(set), collections.defaultdict(set)
    for function, symbol in references(path):
        uses[function].add(symbol)
    # If a function uses a compiler-generated accessor, it also uses the symbols to which the accessor refers.
    accessors = {name for name, symbols in uses.items() if name.endswith("Wl") and any(is_trap(symbol, own) for symbol in symbols)}
    for function, symbols in uses.items():
        if function.endswith(("Wl", "WL")) or re.search(r"WO.$", function):
            continue
        # Skips code that the compiler copied from the standard library.
        module = re.match(r"^\$s(\d+)([A-Za-z_0-9]+)", function)
        is_own = module and module[2][:int(module[1])] in own or any(f"{len(name)}{name}" in function for name in own) or function == "main" or \
            function.endswith("TK")  # Includes accessors of key paths, because the function with the key path refers to the accessor only in data.
        if not is_own:
            continue
        shown = {symbol for symbol in symbols if is_trap(symbol, own) or symbol in accessors}
        if GENERIC.search(function):
            shown.add(function)
        if shown:
            found[function] = shown
    return found


def demangled(symbols):
    symbols = sorted(symbols)
    result = subprocess.run(["swift-demangle", "-simplified", "-compact"], input="\n".join(symbols), capture_output=True, text=True, check=True)
    return dict(zip(symbols, result.stdout.splitlines()))


def place(text):
    """Returns the declaration to which a demangled name belongs. Closures, local functions and thunks belong to their declaration."""
    text = text.split(" in ")[-1] if re.search(r"#\d+ ", text) else text
    text = re.sub(r"^(merged |specialized |partial apply( forwarder)? for |one-time initialization function for |"
                  r"variable initialization expression of |default argument \d+ of |static |implicit closure |"
                  r"key path getter for |property wrapper backing initializer of |protocol witness for |async \w+ \w+ for )+", "", text)
    text = re.sub(r"<[^()]*>(?=\()", "", text).split(" : ")[0]
    return re.sub(r"\.(getter|setter|modify|read|unsafeMutableAddressor|_read|_modify|init)$", "", re.sub(r"^\(\d+\) [\w ]+ for ", "", text))


def is_built(source):
    """Returns whether a source is in a build folder. Such a source is generated, or belongs to another package."""
    return any(part.startswith(".build") for part in source.relative_to(ROOT).parts)


def newest(outputs):
    """Returns the time of a source's last compilation. It is the time of the newest output, because the compiler keeps an unchanged object file."""
    return max((path.stat().st_mtime for path in map(pathlib.Path, outputs) if path.is_file()), default=0)


def objects(build):
    """Yields (module, source, object, time of compilation) for the files in Sources."""
    for listed in sorted(build.glob("*.build/output-file-map.json")):
        outputs_of = json.loads(listed.read_text())
        for source, outputs in outputs_of.items():
            source = pathlib.Path(source)
            if source.suffix == ".swift" and source.is_relative_to(ROOT / "Sources") and not is_built(source):
                yield listed.parent.name.removesuffix(".build"), source, pathlib.Path(outputs["object"]), newest([*outputs.values(), *outputs_of[""].values()])


def find(builds):
    """Returns the uses in the builds, the built modules, and the files. The uses have the form {(module, function, source): symbols}."""
    files = [item for build in builds for item in objects(build)]
    # A package builds only those modules of its dependencies that it uses.
    modules = {module for module, _, compiled, _ in files if compiled.exists()}
    files = [item for item in files if item[0] in modules and "Tests" not in item[1].relative_to(ROOT).parts]
    found = collections.defaultdict(set)
    for module, source, compiled, time in files:
        if not source.exists():
            continue
        if not compiled.exists() or time < source.stat().st_mtime:
            print(f"check.py: {source.relative_to(ROOT)} is newer than its object file; build first", file=sys.stderr)
            sys.exit(2)
        for function, shown in traps(compiled, modules).items():
            found[module, function, source] |= shown
    return found, modules, files


def named(found):
    names = demangled({function for _, function, _ in found} | {symbol for shown in found.values() for symbol in shown})
    result = collections.defaultdict(set)
    for (module, function, source), shown in found.items():
        name = "main" if function in ("main", f"{module}_main") else place(names[function])
        result[module, name, source] |= {short(names[symbol]) for symbol in shown}
    return result


def short(text):
    conformance = re.match(r"(?:lazy protocol witness table accessor for type|protocol conformance descriptor for|"
                           r"protocol witness table for) (String|Substring)\b", text)
    return f"{conformance[1]} as a collection" if conformance else text


def exceptions():
    """Returns {(module, place): reason}. Each line of exceptions.txt has the form `module | place | reason`."""
    result = {}
    for number, line in enumerate((HERE / "exceptions.txt").read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split(" | ")
        if len(parts) != 3 or not all(parts) or tuple(parts[:2]) in result:
            raise SystemExit(f"exceptions.txt:{number}: must be `module | function | reason`, each once")
        result[parts[0], parts[1]] = parts[2]
    return result


def check_samples():
    """Checks that the functions of samples.swift whose names begin with `trap` are found, and no others. The accessors of key paths must be found too. Of
    `trapKeyPath`, only the accessor must be found.
    """
    source = HERE / "samples.swift"
    with tempfile.TemporaryDirectory() as folder:
        compiled = pathlib.Path(folder) / "samples.o"
        subprocess.run(["swiftc", "-swift-version", "6", "-Onone", "-parse-as-library", "-module-name", "samples", "-c", source, "-o", compiled], check=True)
        found = traps(compiled, {"samples"})
    names = demangled(found)
    found = {re.sub(r"\(.*", "", place(names[function])) for function in found}
    declared = re.findall(r"func (\w+)", source.read_text())
    expected = {name for name in declared if name.startswith("trap")} - {"trapKeyPath"} | {"String.count", "Character.isHexDigit"}
    wrong = [f"samples.swift: {name} is a trap but was not found" for name in sorted(expected - found)]
    wrong += [f"samples.swift: {name} is not a trap but was found" for name in sorted(found - expected)]
    if len(expected) < 30 or len(declared) - len(expected) < 15:
        wrong.append("samples.swift: too few samples")
    return wrong, len(expected), len(declared) - len(expected)


def check_embedded():
    wrong = []
    for source in sorted((ROOT / "Sources" / "Bindings").rglob("*.swift")):
        if is_built(source):
            continue
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if re.search(r"\b(String|Substring|Character)\b", line.split("//")[0]):
                wrong.append(f"{source.relative_to(ROOT)}:{number}: names String, Substring or Character; Embedded Swift's sources use [UInt8]")
    return wrong


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__)
        return 0
    listing = "--list" in arguments
    builds = [pathlib.Path(item) for item in arguments if item != "--list"] or [ROOT / ".build" / "debug"]
    for build in builds:
        if not list(build.glob("*.build/output-file-map.json")):
            print(f"check.py: {build} is not a build folder", file=sys.stderr)
            return 2
    wrong, trap_count, harmless_count = check_samples()
    wrong += check_embedded()
    found, modules, files = find(builds)
    found = named(found)
    if listing:
        for module, name, source in sorted(found):
            print(f"{module} | {name} | {source.relative_to(ROOT)}: {', '.join(sorted(found[module, name, source]))}")
        return 0
    excused, used = exceptions(), set()
    for (module, name, source), shown in sorted(found.items()):
        if (module, name) in excused:
            used.add((module, name))
        else:
            wrong.append(f"{source.relative_to(ROOT)}: {name} {ADVICE} ({', '.join(sorted(shown))})")
    for module, name in excused:
        if module in modules and (module, name) not in used:
            wrong.append(f"exceptions.txt: {module} | {name}: excuses nothing; remove the line")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(files)} files of {len(modules)} modules: {len(used)} places with a reason; {trap_count} samples found, {harmless_count} correctly not found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
