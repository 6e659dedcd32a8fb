// Enough of CUDA's runtime to compile and run a source on the host.
#define API(name) cuda##name
#include "device.h"
#undef API
