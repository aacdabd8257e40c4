// Mutant switches. One mutant is on; reached mutants are recorded on request.
#ifndef MUTATION_SWITCH_H
#define MUTATION_SWITCH_H

#include <stdbool.h>

enum { mutation_limit = 16384 };

/// The number of the enabled mutant, from the environment variable PUREATTEST_MUTANT; -1 if there is none.
extern int mutation_active;
/// One byte for each mutant: whether it was reached. In the file that PUREATTEST_REACHED names, if any, so that a crash
/// loses nothing.
extern unsigned char *mutation_reached;

static inline bool mutation_is(int number) {
    mutation_reached[number] = 1;
    return number == mutation_active;
}

#endif
