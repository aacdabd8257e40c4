// Switches that enable at most one mutant. They can also record which mutants the tests reach.
#ifndef MUTATION_SWITCH_H
#define MUTATION_SWITCH_H

#include <stdbool.h>

enum { mutation_limit = 16384 };

/// The number of the enabled mutant, from the environment variable PUREATTEST_MUTANT, or -1 if no mutant is enabled.
extern int mutation_active;
/// One byte for each mutant, which is nonzero if the tests reached the mutant. If PUREATTEST_REACHED names a file, the
/// bytes are memory-mapped to the file, so that they survive a crash.
extern unsigned char *mutation_reached;

static inline bool mutation_is(int number) {
    mutation_reached[number] = 1;
    return number == mutation_active;
}

#endif
