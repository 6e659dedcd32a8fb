// Enough of HIP's runtime to compile and run a source on the host.
#define API(name) hip##name
#include "../device.h"
#undef API
