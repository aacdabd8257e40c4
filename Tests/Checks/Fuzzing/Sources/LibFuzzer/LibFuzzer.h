// libFuzzer's built-in mutation (llvm.org/docs/LibFuzzer.html), which the custom mutator calls.
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximumSize);
