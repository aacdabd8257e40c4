// libFuzzer's own mutation (llvm.org/docs/LibFuzzer.html), for the custom mutator.
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximumSize);
