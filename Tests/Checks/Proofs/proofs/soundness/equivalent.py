"""Lists the reasons why surviving mutants are correct, each with its routine, instruction and change.

`mutate.py` accepts a surviving mutant only if a reason applies and no test value contradicts the mutant's statement (`sample.py`). Trusted: the reasons, which
are arguments and not proofs.
"""

import re

POINTS = r"^P384 (addVarTime|addSameX|doubleAndAddVarTime) "  # these routines test whether a number is 0

# {reason: [(routine, instruction, change)]}; all three are regular expressions
EQUIVALENT = {
    "A word of a rejected number. No code reads it.": [
        (r"p256_enter", r"^%3[4-7] = phi i64 \[ %\d+, %27 \], \[ 0, %entry \]$", r"^constant [+-]1 of 1$"),
    ],
    "The tag of an accepted number. It is only compared with 1.": [
        (r"p(256|384)_enter", r"^%(38|34) = phi i8 \[ 0, %(27|29) \], \[ 1, %entry \]$", r"^constant -1 of 0$"),
    ],
    "After the lowest limb the end is found: a turn later, after the limb above it, which was equal before.": [
        (r"n256_montgomeryProduct .*isLess", r"^%27 = phi i64 \[ 0, %\.thread \]", r"^constant \+1 of 0$"),
        (r"n384_montgomeryProduct .*isLess", r"^%14 = phi i64 \[ 0, %each_array_element1\.preheader\.thread \]", r"^constant \+1 of 0$"),
    ],
    "The carry of the highest limb of a difference to which p was added, where it comes of the limb below alone: the sum is below 2⁹⁶ then, and less c, "
    "that is p more, it is the same element.": [
        (
            r"^p256_(product|square)Difference |^P256 (double|addVarTime|doubleAndAddVarTime) ",
            r"^%(757|686|3352|4625|7757) = or i1 %(753|682|3348|4621|7753), %(756|685|3351|4624|7756)$",
            r"^second operand 0$",
        ),
    ],
    "An earlier comparison found that the two words differ, so < and ≤ give the same result.": [
        (r"n\d+_", r"icmp ult i64 %\d+, %\d+$", r"^ule for ult$"),
    ],
    "The test of the highest limb only saves the tests of all limbs, which follow. A weaker test gives the same result.": [
        (r"p384_(isZero|equals)", r"= add i64 %\d+, 1$|= icmp ult i64 %\d+, 2$", r"^first operand 0$|^ule for ult$|^constant \+1$"),
        (POINTS, r"^%(2|23|3799|34|8459|8478) = add i64 %\S+, 1$", r"^first operand 0$"),
        (POINTS, r"^%(3|24|3800|35|8460|8479) = icmp ult i64 %\d+, 2$", r"^ule for ult$|^constant \+1$"),
    ],
    "A second correction meets numbers below c (of sums) or from R − c up (of differences) only: the limbs above the third are all 0 or all ones, so that "
    "one does for another and no carry reaches them.": [
        (r"P384FieldV\d+(addingOnce|subtractingOnce)", r"^%20 = or i1 %16, %19$", r"^and for or$|^first operand 0$"),
        (r"P384FieldV\d+(addingOnce|subtractingOnce)", r"^%(21|25|29) = zext i1 %\d+ to i64$", r"^sext for zext$|^operand 0$"),
        (r"P384FieldV\d+subtractingOnce", r"^%\.neg = sext i1 %28 to i64$", r"^zext for sext$|^operand 0$"),
        (r"P384FieldV\d+addingOnce", r"^%2[26] = .*@llvm\.uadd\.with\.overflow\.i64\(i64 %\S+copyload, i64 %2[15]\)$", r"^(first|second) operand 0$"),
        (r"P384FieldV\d+subtractingOnce", r"^%2[26] = .*@llvm\.usub\.with\.overflow\.i64\(i64 %\S+copyload, i64 %2[15]\)$", r"^second operand 0$"),
        (r"P384FieldV\d+addingOnce", r"^%30 = add i64 %\S+copyload, %29$", r"^sub for add$|^(first|second) operand 0$"),
        (r"P384FieldV\d+subtractingOnce", r"^%29 = add i64 %\S+copyload, %\.neg$", r"^sub for add$|^second operand 0$"),
        (r"P384FieldV\d+(addingOnce|subtractingOnce)", r"^%\.l3 = getelementptr inbounds nuw i8, ptr %1, i64 24$", r"^index \+8$"),
        (r"P384FieldV\d+(addingOnce|subtractingOnce)", r"^%\.l4 = getelementptr inbounds nuw i8, ptr %1, i64 32$", r"^index -8$"),
    ],
    "The result of a second correction, read by its caller: its upper limbs are equal.": [
        (r"p384_", r"^%\.l3\d* = getelementptr inbounds nuw i8, ptr %\d+, i64 24$", r"^index \+8$"),
        (r"p384_", r"^%\.l4\d* = getelementptr inbounds nuw i8, ptr %\d+, i64 32$", r"^index -8$"),
        (r"^P384 (double|addVarTime|doubleAndAddVarTime) ", r"^%\.l3\d+ = getelementptr inbounds nuw i8, ptr %\d+, i64 24$", r"^index \+8$"),
        (r"^P384 (double|addVarTime|doubleAndAddVarTime) ", r"^%\.l4\d+ = getelementptr inbounds nuw i8, ptr %\d+, i64 32$", r"^index -8$"),
    ],
    "The second correction of a sum is of a number below c: its upper limbs are 0.": [
        (r"^P384 double ", r"^store i64 %\d+, ptr %\.l(3697|4698|5699|31555|41556|51557), align 8$", r"^0 stored$"),
        (
            r"^P384 doubleAndAddVarTime ", r"^store i64 %\d+, ptr %\.l(3(3448|3492|3536|6314)|4(3449|3493|3537|6315)|5(3450|3494|3538|6316)), align 8$",
            r"^0 stored$",
        ),
    ],
    "A word of X, read once more in the correction: both are the same, as nothing was stored between.": [
        (r"^P384 double ", r"^%156[5-9] = phi i64 \[ %\.pre\d*, %1557 \], \[ %14(76|77|78|79|80), %entry \]$", r"^values rotated$"),
    ],
    "Where == corrects a second time, the numbers differ by more than p, so they are not congruent. The highest limb is then 2⁶⁴ − 1, so the difference "
    "is not 0. Whatever the fourth limb is, the answer is false.": [
        (r"p384_equals", r"^store i64 %\d+, ptr %\.l4\d+, align 8$", r"^0 stored$"),
    ],
    "The result of the second correction of a sum is below 2c: its upper limbs are 0.": [
        (r"p384_(add|double)", r"^store i64 %\d+, ptr %\.l[345]", r"^0 stored$"),
    ],
    "A product of the operands in the other order.": [
        (r"^(p384_|n384_)", r"call .*(montgomeryProduct|FieldV1moi)", r"^arguments 1 and 2 swapped$"),
    ],
    "The low word of t + m·n₀ is 0, by the choice of m, and only the high word is used: another m in the low word does not carry out of it.": [
        (r"n\d+_", r"= mul nuw i128 %\d+, (17562291160714782033|17072048233947408755)$", r"constant \+1"),
    ],
    "A check of an index against the array's length; the index is one of a loop over that length.": [
        (r"n\d+_|inversion", r"icmp samesign ugt|icmp ugt i64 %\d+, \d+$|icmp slt i64 %\d+, 1$|exitcond", r"^constant [+-]1$|^uge for ugt$"),
    ],
    "A copy of an array. Only one element is read, and it is not this one.": [
        (r"n\d+_montgomeryProduct", r"^store i64 %\d+, ptr %\d+", r"0 stored|half a word stored"),
    ],
    "What a shift by 64 or more would give; the division steps shift by less.": [
        (r"safegcd steps", r"^%\S+ = select i1 %(or\.cond\d*|\d+), i64 %\d+, i64 0$", r"^constant [+-]1$"),
        (r"safegcd steps", r"^%\d+ = icmp ult i64 %\d+, 65$|^%\d+ = icmp ugt i64 %\d+, 64$", r"^constant [+-]1$|^ule for ult$|^uge for ugt$"),
        (r"safegcd steps", r"^%(or\.cond|\d+) = icmp (samesign )?ult i64 %\d+, 64$", r"^constant [+-]1$|^ule for ult$"),
        (r"safegcd steps", r"^%or\.cond\d+ = and i1 %\d+, %\d+$", r"^or for and$"),
        (r"safegcd steps", r"^%\d+ = icmp slt i64 %\d+, 64$", r"^constant \+1$"),
        (r"safegcd steps", r"^%\d+ = phi i64 (\[ 0, %\d+ \], ){2,3}\[ %\d+, %\.thread", r"^constant [+-]1 of [012]$"),
    ],
    "The lowest bit of a word that is shifted to the right.": [
        (r"safegcd steps", r"^%\d+ = lshr i64 -1, %(\.ph\d*|\d+)$", r"^constant -1$"),
    ],
    "A minimum. If the two numbers are equal, either is right.": [
        (r"safegcd steps", r"^%\d+ = icmp sgt i64 %\d+, [46]$", r"^constant -1$"),
        (r"safegcd steps", r"^%\d+ = sub i64 1, %\d+$|^%\d+ = add nuw i64 %\d+, 1$", r"^constant \+1$"),
    ],
    "Bit 3 of an even number, with a bit 0 that is 0 or not looked at.": [
        (r"safegcd steps", r"^%\d+ = add i64 %\d+, 2$|^%\d+ = and i64 %\d+, 8$", r"^constant \+1$"),
    ],
    "A check that a word lies within the block. The length is a whole block's, so at least one word follows this word.": [
        (
            r"SHA256 compress .*compressBlock", r"^%\d+ = icmp (samesign ult|slt) i64 %1, ([48]|12|16|2[048]|3[26]|4[048]|5[26]|60)$",
            r"^constant [+-]1$|^ule for ult$",
        ),
        (
            r"SHA512 compress .*compressBlock", r"^%\d+ = icmp (samesign ult|slt) i64 %1, (8|16|24|32|40|48|56|64|72|80|88|96|104|112|120)$",
            r"^constant [+-]1$|^ule for ult$",
        ),
    ],
    "A check that the last word lies within the block: its length is not one less than a block's.": [
        (r"SHA256 compress .*compressBlock", r"^%\d+ = icmp samesign ult i64 %1, 64$", r"^constant -1$"),
        (r"SHA512 compress .*compressBlock", r"^%\d+ = icmp samesign ult i64 %1, 128$", r"^constant -1$"),
    ],
    "The end of a loop over the rounds, sixteen at a time (of the groups' four or two schedules: of as many): its counter steps over the number below.": [
        (r"SHA(256|512) compress .*compress(Block|Groups)", r"^%\d+ = icmp samesign ult i64 %\d+, (48|64|72)$", r"^constant -1$"),
    ],
    "Whether there is a group of four blocks of 64 octets, or of two blocks of 128. The length is a multiple of a block's length.": [
        (r"SHA(256|512) compress .*(compressGroups|V8compress)", r"^%[.\w]+ = icmp (samesign )?ult i64 %1, 256$", r"^constant -1$"),
    ],
    "Whether there is a group at all: their number is positive.": [
        (r"SHA(256|512) compress .*compressGroups", r"^%\d+ = icmp slt i64 %2, 1$", r"^constant -1$"),
    ],
    "A check that a length is not negative, which would also pass −1: no length is.": [
        (r"SHA(256|512) compress .*V8compress", r"^%\d+ = icmp sgt i64 %1, -1$", r"^constant -1$"),
        (r"^n(256|384)_digest ", r"^%\d+ = icmp sgt i64 %[12], -1$", r"^constant -1$"),
    ],
    "Whether there are blocks at all: their address is no such number.": [
        (r"SHA(256|512) compress .*(compressGroups|V8compress)", r"= icmp eq i64 %0, 0$", r"^constant [+-]1$|^ult for eq$"),
    ],
    "The end of a group. It is only compared with the end of the blocks, whose length is a multiple of a block's length.": [
        (r"SHA(256|512) compress .*(compressGroups|V8compress)", r"^%\d+ = add i64 %\d+, 256$", r"^constant -1$"),
    ],
    "A limb of p that is 0: p has no bit from 96 to 191.": [
        (r"safegcd normalized<5> p", r"^store i64 %\d+, ptr %\S+, align 8$", r"^0 stored$"),
    ],
    "The highest limb of a number below 2²⁵⁶ has 8 bits, and the highest limb of a number below 2³⁸⁴ has 12 bits.": [
        (r"safegcd unsigned", r"= load i64, ptr ", r"^half a word loaded$"),
    ],
    "The borrow out of the highest limb. No code reads it, because n is subtracted only from numbers that are not below n.": [
        (r"^n256_digest .*subtract", r"^%38 = or i1 |^%39 = zext i1 ", r"^and for or$|^(first |second )?operand 0$|^sext for zext$"),
        (r"^n384_digest .*subtract", r"^%55 = or i1 |^%56 = zext i1 ", r"^and for or$|^(first |second )?operand 0$|^sext for zext$"),
    ],
    "n is subtracted from what is not below it: of P-384 the three upper limbs of both are all ones, so that they are equal, leave 0, and no borrow "
    "reaches them.": [
        (r"^n384_digest .*subtract", r"^%\S+ = getelementptr inbounds nuw i8, ptr %0, i64 24$", r"^index \+8$"),
        (r"^n384_digest .*subtract", r"^%\S+ = getelementptr inbounds nuw i8, ptr %0, i64 32$", r"^index [+-]8$"),
        (r"^n384_digest .*subtract", r"^%\S+ = getelementptr inbounds nuw i8, ptr %0, i64 40$", r"^index -8$"),
        (r"^n384_digest .*subtract", r"^%(29|39|49) = .*@llvm\.usub\.with\.overflow\.i64\(i64 %\d+, i64 %\S+copyload\)$", r"^operands swapped$"),
        (
            r"^n384_digest .*subtract", r"^%(31|41|52) = .*@llvm\.usub\.with\.overflow\.i64\(i64 %\d+, i64 %\d+\)$",
            r"^operands swapped$|^(first|second) operand 0$|^the other operation$",
        ),
        (r"^n384_digest .*subtract", r"^%(27|37|47) = or i1 |^%(28|38|48) = zext i1 ", r"^and for or$|^(first |second )?operand 0$|^sext for zext$"),
        (r"^n384_digest .*subtract", r"^store i64 %(32|42|53), ptr %(23|33|43), ", r"^0 stored$"),
    ],
    "A copy of the scalar. Only the limb above the position's limb is read, which is never the lowest.": [
        (r"^recode", r"^store i64 %9, ptr %8, align 8$", r"^0 stored$|^half a word stored$"),
    ],
    "A copy of the scalar. Only the highest limb is read, because the position is in it.": [
        (r"^recode<4> \S+ \.thread$", r"^store i64 %(9|11|13), ptr %(7|18|19), align 8$", r"^0 stored$|^half a word stored$"),
    ],
    "A copy of the scalar. Only a limb below the highest is read, because the position is in such a limb.": [
        (r"^recode<4> \S+ \d+$", r"^store i64 %15, ptr %20, align 8$", r"^0 stored$|^half a word stored$"),
    ],
    "A check that a position is at most 384. Positions in 256 bits are far below.": [
        (r"^recode<4>", r"^%\d+ = icmp ugt i64 %\S+, 384$", r"^constant [+-]1$|^uge for ugt$"),
    ],
    "A check that a position is at most 384, which it is.": [
        (r"^recode<6>", r"^%\d+ = icmp ugt i64 %\S+, 384$", r"^constant \+1$"),
    ],
    "A check that the number of digits is below 255, which it is.": [
        (r"^recode", r"^%\d+ = icmp ugt i64 %\d+, 254$", r"^constant \+1$"),
    ],
    "A check that the number of a limb and one is not negative: neither is.": [
        (r"^recode", r"^%\d+ = icmp slt i64 %\d+, -1$", r"^constant [+-]1$"),
    ],
    "A check that the number of a limb is not negative, which would also pass −1: it is not.": [
        (r"^recode", r"^%\d+ = icmp slt i64 %\d+, 0$", r"^constant -1$"),
    ],
    "No bits to skip, and a window: both are in one word.": [
        (r"^recode", r"= icmp ne i64 %\d+, 0$", r"^constant -1$"),
    ],
    "The number of digits is below 256.": [
        (r"^recode", r"= load i64, ptr %\.count|^store i64 %\d+, ptr %\.count", r"^half a word (loaded|stored)$"),
    ],
    "== asks only whether the difference D is 0 or p. Without the second correction D would be R too large, that is in [p + 1, R): not 0 or p either, and "
    "a − b is then no multiple of p.": [
        (r"p\d+_equals", r"= or i1 |= zext i1 ", r"^(first |second )?operand 0$"),
    ],
    "An odd x is halved as (x + p)/2. x + p is even: one more only sets the bit that is shifted out.": [
        (r"p384_halve", r"= and i64 %\d+, 4294967295$", r"constant \+1"),
    ],
    "Whether any bits are skipped is asked together with whether a window is beyond the word: of one bit it is not.": [
        (r"^recode", r"= icmp ne i64 %\d+, 0$", r"^constant \+1$"),
    ],
    "No position is above 384: the upper half of the highest is 0.": [
        (r"^recode", r"^store i64 %\S+, ptr %\.highest, align 8$", r"^half a word stored$"),
    ],
    "The end of a loop over the limbs, which leaves it earlier: at the limbs in use.": [
        (r"^safegcd inverse", r"= icmp eq i64 %\d+, [68]$", r"^constant [+-]1$"),
    ],
    "A check that an index is below the number of limbs, or that the number of limbs in use is positive. Both hold with a margin.": [
        (r"^safegcd inverse", r"= icmp (samesign )?ugt i64 %\d+, [4567]$|= icmp slt i64 %\d+, 1$", r"^constant (\+1|-1)$|^uge for ugt$"),
    ],
    "For x = 0, the result is ±0, whichever limb's sign is read.": [
        (r"^safegcd inverse", r"= phi i64 \[ [57], %entry \]", r"^constant -1 of 0$"),
    ],
    "The number of a row is at most 23, and has no sign.": [
        (r"^interleave", r"= zext i8 %\d+ to i64$", r"^sext for zext$"),
    ],
    "A digit is odd: below 0 is below 1.": [
        (r"^interleave", r"= icmp slt i16 %\d+, 0$", r"^constant \+1$"),
    ],
    "The absolute value of a digit has no sign.": [
        (r"^interleave", r"= sext i16 %\d+ to i64$", r"^zext for sext$"),
    ],
    "A check of an index into the generator's table, or that its multiple does not overflow. It is in range with a margin.": [
        (
            r"^interleave .*GeneratorMultiple", r"= icmp (samesign )?(ugt|ult) i64 %\d+, -?\d+$|= add i64 %1, -\d+$",
            r"^constant [+-]1$|^uge for ugt$|^ule for ult$",
        ),
    ],
    "What would find that the multiple of an index overflows, and is asked of 0 then, whose multiple does not either.": [
        (r"^interleave .*GeneratorMultiple", r"= add i64 %1, -\d+$", r"^first operand 0$"),
    ],
    "Where Q has one part, the entries of the parts before a digit's are none.": [
        (r"^interleave \S+ point", r"= add nsw i64 %\d+, %\d+$", r"^first operand 0$"),
    ],
    "A check that an index into Q's table does not overflow, or is below the count: none is near the one, or is the other.": [
        (r"^interleave", r"= icmp samesign ugt i64 %\d+, \d{15,}$|= icmp ult i64 %\d+, %\d+$", r"^constant [+-]1$|^uge for ugt$|^ule for ult$"),
    ],
}


def reason(s, function, label, instruction, what):
    """Returns the text of the first matching reason, or None. The pattern for the routine is matched with the names of statement, function and block."""
    place = f"{s.name} {function} {label}"
    for text, rows in EQUIVALENT.items():
        for routine, pattern, change in rows:
            if re.search(routine, place) and re.search(pattern, instruction.text) and re.search(change, what):
                return text
    return None
