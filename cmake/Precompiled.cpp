// CMake builds the precompiled header with a target that has a source. This is
// it.
