"""Reads the machine code of an object file's functions. The result is equal for any two compilations of the same IR.

An instruction is represented by its mnemonic and operands, as `llvm-objdump` prints them. If an operand depends on the linker or on the position in the file,
it is replaced:
- The target of a jump becomes its distance from the function's start.
- The target of a call or a relocation becomes the symbol.
- A constant outside the code becomes its bytes.
"""

import pathlib
import re
import subprocess


class Unread(Exception):
    """The output of `llvm-objdump` has an unexpected form."""


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def tools(arguments):
    """Returns the directory of the compiler, which also contains clang and llvm-objdump."""
    return pathlib.Path(arguments[0]).parent


def compile_ir(directory, ir, output):
    """Compiles optimised IR with only the back end, without optimiser passes."""
    run(directory / "clang", "-c", "-O2", "-Xclang", "-disable-llvm-passes", "-fPIC", "-Wno-override-module", ir, "-o", output)
    return output


def sections(directory, path):
    """Returns {(section, offset): byte} of the read-only sections."""
    found, section = {}, None
    for line in run(directory / "llvm-objdump", "-s", path).splitlines():
        m = re.match(r"Contents of section (\S+):", line)
        if m:
            section = m[1] if m[1].startswith(".rodata") else None
        elif section:
            m = re.match(r" ([0-9a-f]+) ((?:[0-9a-f]{1,8} ){1,4})", line)
            data = bytes.fromhex(m[2].replace(" ", ""))
            found.update({(section, int(m[1], 16) + i): b for i, b in enumerate(data)})
    return found


def functions(directory, path):
    """Returns {symbol: [instruction]} of an object file."""
    text = run(directory / "llvm-objdump", "-d", "-r", "--no-show-raw-insn", path)
    constants = sections(directory, path)
    found, current, start = {}, None, 0
    for line in text.splitlines():
        m = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        if m:
            start, current = int(m[1], 16), []
            if m[2] in found:
                raise Unread(f"{m[2]} twice in {path}")
            found[m[2]] = current
            continue
        m = re.match(r"\s+([0-9a-f]+):\s+(R_\w+)\s+(.*)$", line)
        if m:
            if not current:
                raise Unread(line)
            current[-1] += f" [{m[2]} {relocated(m[3], current[-1], constants)}]"
            continue
        m = re.match(r"\s+([0-9a-f]+):\s+(.*)$", line)
        if m and current is not None:
            current.append(placed(m[2].strip(), start))
    return {name: trimmed(instructions) for name, instructions in found.items()}


def placed(instruction, start):
    """Replaces an instruction's target, if there is one, by a symbol or by an offset from the function's start."""
    m = re.fullmatch(r"(\w+)\s+(?:0x)?([0-9a-f]+) <(.*)>", instruction)
    if m:
        inside = re.fullmatch(r".*\+0x[0-9a-f]+", m[3])
        return f"{m[1]} +{int(m[2], 16) - start:#x}" if inside or int(m[2], 16) == start else f"{m[1]} <{m[3]}>"
    instruction = re.sub(r"\s*# .*$", "", instruction)  # removes objdump's comment with the computed address
    return re.sub(r"\s+", " ", instruction)


def relocated(target, instruction, constants):
    """Returns the symbol of a relocation, or the bytes of the constant to which the relocation refers."""
    m = re.fullmatch(r"(\.rodata[\w.]*)([+-]0x[0-9a-f]+)?", target)
    if not m:
        return "local data" if target.startswith(".L") else target
    offset = int(m[2] or "0", 16) + 4  # the addend is relative to the end of the 4-byte field
    return "constant " + bytes(constants.get((m[1], offset + i), 0) for i in range(16)).hex()


def trimmed(instructions):
    """Returns the instructions without the padding before the next function."""
    while instructions and re.match(r"(data16 |cs |)*(nop\w*|int3|xchgw %ax)", instructions[-1]):
        instructions = instructions[:-1]
    return instructions
