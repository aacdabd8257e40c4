// The switches of mutants: one is on, and those that were asked for are noted.
#ifndef MUTATION_SWITCH_H
#define MUTATION_SWITCH_H

#include <stdbool.h>

enum { mutation_limit = 16384 };

/// The mutant that is on, from the environment variable PUREATTEST_MUTANT; -1 for none.
extern int mutation_active;
/// One byte for each mutant: whether it was reached. A file, if PUREATTEST_REACHED names one, so that a crash loses nothing.
extern unsigned char *mutation_reached;

static inline bool mutation_is(int number) {
    mutation_reached[number] = 1;
    return number == mutation_active;
}

#endif
