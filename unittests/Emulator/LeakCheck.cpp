//===- LeakCheck.cpp - Switches the leak checker off ----------------------===//
//
// After a fault the stacks of the kernel's threads are abandoned, with what
// they own: no code runs on them again that could free it. A program ends then;
// these tests go on.
//
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return 1; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
