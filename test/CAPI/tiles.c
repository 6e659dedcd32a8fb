// Types and attributes of the dialect tile, from C.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-tiles | FileCheck %s

#include "StencilDialect-c/Tiles.h"
#include "Inputs/Support.h"
#include "StencilDialect-c/Attributes.h"
#include "mlir-c/BuiltinTypes.h"

static void testTypes(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirType f64 = mlirF64TypeGet(context);
  const int64_t lower[] = {0, -1}, upper[] = {1, 33};
  MlirAttribute box = stencilBoundsAttrGetChecked(here, 2, lower, upper);
  MlirType ring = stencilTileRingTypeGetChecked(here, 4, box, f64, 0,
                                                STENCIL_TILE_FILL_ASYNC);
  printType("ring", ring);
  printf("%d: %d slots, pitch %d, fill %d, %d bytes\n",
         stencilTypeIsATileRing(ring), (int)stencilTileRingTypeGetSlots(ring),
         (int)stencilTileRingTypeGetPitch(ring),
         (int)stencilTileRingTypeGetFill(ring),
         (int)stencilTileRingTypeGetBytes(ring));
  printf("parts: %d %d\n",
         mlirAttributeEqual(stencilTileRingTypeGetBox(ring), box),
         mlirTypeEqual(stencilTileRingTypeGetElementType(ring), f64));
  printType("wide", stencilTileRingTypeGetChecked(here, 1, box, f64, 40,
                                                  STENCIL_TILE_FILL_STAGE));
  MlirType gaps = mlirTypeParseGet(
      context, mlirStringRefCreateFromCString(
                   "!tile.ring<1 x [-4,68]xf64, segment = 16, gap = 4>"));
  printf("segments: %d and %d, without gaps %d and %d\n",
         (int)stencilTileRingTypeGetSegment(gaps),
         (int)stencilTileRingTypeGetGap(gaps),
         (int)stencilTileRingTypeGetSegment(ring),
         (int)stencilTileRingTypeGetGap(ring));
  MlirType cursor = stencilTileCursorTypeGetChecked(here, 4);
  printType("cursor", cursor);
  printf("%d: %d, a ring: %d\n", stencilTypeIsATileCursor(cursor),
         (int)stencilTileCursorTypeGetSlots(cursor),
         stencilTypeIsATileRing(cursor));

  printType("none", stencilTileCursorTypeGetChecked(here, 0));
  printType("narrow", stencilTileRingTypeGetChecked(here, 1, box, f64, 33,
                                                    STENCIL_TILE_FILL_ASYNC));
  printType("boxless",
            stencilTileRingTypeGetChecked(here, 1, (MlirAttribute){NULL}, f64,
                                          0, STENCIL_TILE_FILL_ASYNC));
}
// CHECK: ring: !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
// CHECK-NEXT: 1: 4 slots, pitch 36, fill 2, 1536 bytes
// CHECK-NEXT: parts: 1 1
// CHECK-NEXT: wide: !tile.ring<1 x [0,1]x[-1,33]xf64, pitch = 40, fill = stage>
// CHECK-NEXT: segments: 16 and 4, without gaps 1 and 0
// CHECK-NEXT: cursor: !tile.cursor<4>
// CHECK-NEXT: 1: 4, a ring: 0
// CHECK-NEXT: error: expected 1 to 1024 slots, got 0
// CHECK-NEXT: none: null
// CHECK-NEXT: error: expected a pitch of at least the 34
// CHECK-NEXT: narrow: null
// CHECK-NEXT: error: expected a #stencil.bounds of numbers, an element type and a fill from 0 to 4
// CHECK-NEXT: boxless: null

static void testAttributes(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  const StencilTileDigit registers[] = {{1, 2, 1}};
  const StencilTileDigit threads[] = {{2, 32, 1}, {1, 4, 2}};
  MlirAttribute layout =
      stencilTileLayoutAttrGetChecked(here, 3, 1, registers, 2, threads);
  printAttribute("layout", layout);
  printf("%d: %d x %d, extents %d %d %d, beyond: %d\n",
         stencilAttributeIsATileLayout(layout),
         (int)stencilTileLayoutAttrCountRegisters(layout),
         (int)stencilTileLayoutAttrCountThreads(layout),
         (int)stencilTileLayoutAttrGetExtent(layout, 0),
         (int)stencilTileLayoutAttrGetExtent(layout, 1),
         (int)stencilTileLayoutAttrGetExtent(layout, 2),
         (int)stencilTileLayoutAttrGetExtent(layout, 3));
  printAttribute("part", stencilTileLayoutAttrGetChecked(here, 3, 1, registers,
                                                         1, threads + 1));
  printAttribute("outside",
                 stencilTileLayoutAttrGetChecked(here, 2, 0, NULL, 2, threads));
  printAttribute("null",
                 stencilTileLayoutAttrGetChecked(here, 1, 1, NULL, 0, NULL));
  printAttribute("fma", stencilTileFmaAttrGet(context));
  printAttribute("taps", stencilTileTapsAttrGet(context));
  printAttribute("lanes", stencilTileLanesAttrGet(context));
  MlirAttribute taps = stencilTileTapsAttrGet(context);
  printf("%d%d%d\n", stencilAttributeIsATileTaps(taps),
         stencilAttributeIsATileFma(taps), stencilAttributeIsATileLanes(taps));
}
// CHECK-NEXT: layout: #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>
// CHECK-NEXT: 1: 2 x 128, extents 1 8 32, beyond: 0
// CHECK-NEXT: part: #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [1: 4 by 2]>
// CHECK-NEXT: error: expected
// CHECK-NEXT: outside: null
// CHECK-NEXT: error: expected 1 digits, got a null pointer
// CHECK-NEXT: null: null
// CHECK-NEXT: fma: #tile.fma
// CHECK-NEXT: taps: #tile.taps
// CHECK-NEXT: lanes: #tile.lanes
// CHECK-NEXT: 100

int main(void) {
  MlirContext context = makeContext();
  testTypes(context);
  testAttributes(context);
  mlirContextDestroy(context);
  return 0;
}
