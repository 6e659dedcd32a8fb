# Wrong arguments end the configuration, before anything is added.
include("${ADD_STENCIL_LIBRARY}")
string(REPLACE "|" ";" arguments "${ARGUMENTS}")
add_stencil_library(${arguments})
