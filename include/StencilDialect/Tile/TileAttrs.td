//===- TileAttrs.td - Tiles, and who holds their points -----*- tablegen -*-===//

#ifndef STENCILDIALECT_TILE_TILEATTRS_TD
#define STENCILDIALECT_TILE_TILEATTRS_TD

include "StencilDialect/Tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Attr<string name, string attrMnemonic>
    : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Tile_CutAttr : Tile_Attr<"Cut", "cut"> {
  let summary = "how many segments a launch cuts a domain into";
  let description = [{
    ```mlir
    #tile.cut<planes = 16, halo = 1, multiprocessors = 132, blocks = 2>
    ```
    Where extents are known at the launch only, so is the number of segments. There are as many as there are of `planes` planes. There are more, of at
    least 4 `halo` planes each, where there would be less blocks than multiprocessors, and 2, 3, 4, 5, 6 or 8 times as many where that uses the
    multiprocessors 8 % better: where the last wave of blocks would be short, and less than that is read twice.

    | parameter | meaning |
    |---|---|
    | `planes` | planes of a segment, at least, where all multiprocessors have something to do |
    | `halo` | planes that a segment reads before its first one, or behind its last one; default 0 |
    | `multiprocessors` | of the GPU; 0, the default: not known |
    | `blocks` | of a multiprocessor at once; default 1 |
    | `tail` | segments at most of the tiles that whole rounds of all blocks at once leave; 0, the default: as many as others have |

    With `tail`, the others have one segment or two, if the rounds have 3 % less planes in all then than with equal segments.

    Constraints: `planes` and `blocks` positive, no number negative; `multiprocessors` with `tail`.
  }];
  let parameters = (ins
      "int64_t":$planes,
      DefaultValuedParameter<"int64_t", "0">:$halo,
      DefaultValuedParameter<"int64_t", "0">:$multiprocessors,
      DefaultValuedParameter<"int64_t", "1">:$blocks,
      DefaultValuedParameter<"int64_t", "0">:$tail);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Segments of most tiles, and those of the last ones, of which there may be
    /// none.
    struct Segments {
      int64_t count = 1, tail = 0, ofTail = 1;
    };
    /// By how much more the multiprocessors are to be used, in per cent, for
    /// more segments; and how many times as many there can be.
    static constexpr int64_t kWorthwhile = 108;
    static constexpr std::array<int64_t, 6> kTimes = {2, 3, 4, 5, 6, 8};
    /// Shares are parts of this.
    static constexpr int64_t kWhole = 1024;
    /// Planes of the shortest segment that there are more of.
    int64_t getShortest() const { return 4 * std::max<int64_t>(1, getHalo()); }

    /// The segments of an extent, with as many tiles beside each other: what
    /// the host computes at a launch (StencilToGPU/BlockGrid.cpp).
    int64_t countSegments(int64_t extent, int64_t tiles) const;
    /// The same with a tail, if there is one. By how much more planes the
    /// rounds have to have without it, in per cent; the segments of the others
    /// that are tried; planes of the shortest segment of a tail.
    Segments cutSegments(int64_t extent, int64_t tiles) const;
    static constexpr int64_t kMorePlanes = 103, kShortestOfTail = 16;
    static constexpr std::array<int64_t, 2> kBeforeTail = {1, 2};
    int64_t getShortestOfTail() const {
      return std::max(kShortestOfTail, getShortest());
    }
  }];
}

def Tile_GridAttr : Tile_Attr<"Grid", "grid"> {
  let summary = "how a domain is cut into the tiles of blocks";
  let description = [{
    ```mlir
    #tile.grid<domain = <[0, 0, 0], [64, 64, 64]>, block = [1, 4, 32], points = [1, 2, 1], walk = 0, segments = 2>
    ```
    | parameter | per | meaning |
    |---|---|---|
    | `domain` | axis | the box of points that are stored; bounds may be symbolic |
    | `block` | axis | threads of a block; more than one along the last three axes only |
    | `points` | axis | points of a thread, side by side |
    | `order` | axis | the axis along which blocks with successive numbers lie first, then the next; default: the last axis first |
    | `panel` | axis | blocks before the axes further on in the order advance; 0, the default: all |
    | `align` | | the first tile begins at a multiple of as many points along the last axis; default 1 |
    | `walk` | | the axis along which a block walks, plane by plane; without it a block has one tile |
    | `segments` | | pieces into which the domain is cut along that axis, each walked by other blocks; default 1 |
    | `cut` | | the `#tile.cut` by which a launch counts segments, instead of `segments` |
    | `launch_bounds` | | blocks for which a multiprocessor is to have room; 0, the default: as it comes |
    | `layout` | | the `#tile.layout` by which threads hold the tile; default: `points` neighbouring ones each |
    | `inner` | | the box of a tile, in tile coordinates, that its block stores; default: all of it |
    | `relay` | | legs of the walk, for each of which the block has the threads that `block` says; default 1 |
    | `tail` | | the number of last tiles that are cut into other segments along `walk`, and their number; default: none |

    A tile has `block` x `points` points, and begins that far from the one
    before; the last ones may reach beyond the domain. With `inner`, tiles overlap: one begins as far
    from the one before as `inner` is long, and the first one so far before the domain that its `inner` begins with that. Tile coordinates are
    relative to where the tile begins; along `walk`, to the plane of the
    iteration.

    Constraints: lists with an entry per axis, if they are not empty; `block` and `points` positive, and
    1 along `walk`; `order` names each axis once; `segments` and `cut` with `walk` only, and not both; `tail` two positive numbers, with `walk` and without `cut`, `order` and `panel`; a `layout` of as many threads, registers and points along each axis
    as `block` and `points` say; an `inner` in the tile that begins and ends between the points of two threads along the last axis, if there is no `relay`; `relay` from 1 to 32, with `walk` only, and without `layout`.
  }];
  let parameters = (ins
      "::stencil::BoundsAttr":$domain,
      "::mlir::DenseI64ArrayAttr":$block,
      "::mlir::DenseI64ArrayAttr":$points,
      OptionalParameter<"::mlir::DenseI64ArrayAttr">:$order,
      OptionalParameter<"::mlir::DenseI64ArrayAttr">:$panel,
      DefaultValuedParameter<"int64_t", "1">:$align,
      OptionalParameter<"::std::optional<int64_t>">:$walk,
      DefaultValuedParameter<"int64_t", "1">:$segments,
      DefaultValuedParameter<"int64_t", "0">:$launch_bounds,
      OptionalParameter<"::stencil::tile::LayoutAttr">:$layout,
      OptionalParameter<"::stencil::BoundsAttr">:$inner,
      OptionalParameter<"::stencil::tile::CutAttr">:$cut,
      DefaultValuedParameter<"int64_t", "1">:$relay,
      OptionalParameter<"::mlir::DenseI64ArrayAttr">:$tail);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getDomain().getRank(); }
    /// Points of a tile along an axis; 1 along the walk.
    int64_t getTile(int64_t axis) const { return getBlock()[axis] * getPoints()[axis]; }
    /// The tile as a box in tile coordinates.
    ::stencil::BoundsAttr getTileBox() const;
    /// How far tiles are from each other along an axis.
    int64_t getStep(int64_t axis) const;
    /// Points of a tile before those that it stores.
    int64_t getMargin(int64_t axis) const { return getInner() ? getInner().getLb()[axis] : 0; }
    /// `order` and `panel`, as they are by default, too.
    ::llvm::SmallVector<int64_t> listOrder() const;
    int64_t getPanel(int64_t axis) const { return getPanel() ? getPanel()[axis] : 0; }
    /// Of a block: those of all legs.
    int64_t countThreads() const;
    /// Which thread of a leg holds which point of the tile.
    ::stencil::tile::LayoutAttr getHeldLayout() const;
  }];
}

def Tile_ListAttr : Tile_Attr<"List", "list"> {
  let summary = "the points of some boxes, one after the other";
  let description = [{
    ```mlir
    #tile.list<[<[-1, 0], [0, 64]>, <[-1, -2], [64, 66]>] without <[-1, 0], [64, 64]> turns 2>
    ```
    A kernel over a list has no box for a tile, but the next `block` points of the list: those of the first box, row by row, then those of the
    second one. Tile coordinates are places in this piece of the list, 0 along all axes but the last one.

    | parameter | meaning |
    |---|---|
    | `boxes` | boxes that have no point in common; bounds may be symbolic |
    | `without` | a box that is left out where rows lead through it, that is, begin before and end behind it: their points before it are followed by those behind it |
    | `turns` | each piece is the work of as many blocks with successive numbers, one for each field of a `tile.turn`; default 1 |
    | `blocks` | at most as many blocks: block b has pieces b, b + blocks, ...; 0, the default: a block for each |

    Constraints: at least one box; boxes of one rank; each of them is in `without`, has no point of it, or is in it along all axes but the last one, along which all of its rows lead through;
    `turns` or `blocks`, not both.
  }];
  let parameters = (ins
      ArrayRefParameter<"::stencil::BoundsAttr">:$boxes,
      OptionalParameter<"::stencil::BoundsAttr">:$without,
      DefaultValuedParameter<"int64_t", "1">:$turns,
      DefaultValuedParameter<"int64_t", "0">:$blocks);
  let assemblyFormat = [{
    `<` `[` $boxes `]` (`without` $without^)? (`turns` $turns^)? (`blocks` $blocks^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether rows of a box lead through `without`.
    bool hasGap(unsigned part) const;
  }];
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "which thread holds which point of a box, and in which register";
  let description = [{
    ```mlir
    #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>
    ```
    A mixed-radix map. Each entry, `axis: count by stride`, is a digit: of the number of a thread's register, or of the number of a
    thread in its block, the fastest digit first. A point is the sum of its
    digits times their strides along the digit's axis, counted from the lower
    corner of the box. Above, thread 37 = 5 + 32 * 1 holds, in its registers 0 and
    1, the points [2, 5] and [3, 5].

    Counts need not be powers of two: three neighbouring columns per lane are
    `registers = [1: 3 by 1], threads = [1: 32 by 3]`. Fragments of matrix instructions are layouts, too.

    Constraints: 1 to 64 axes; counts and strides are positive, at most 2^24 points; along each axis every point up to the largest one is held, once.
  }];
  let parameters = (ins "int64_t":$rank,
                        ArrayRefParameter<"::stencil::tile::LayoutDigit">:$registers,
                        ArrayRefParameter<"::stencil::tile::LayoutDigit">:$threads);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// `points` neighbouring ones per thread, in blocks of `block` threads; the
    /// last axis is that of neighbouring threads.
    static LayoutAttr getBlocked(::mlir::MLIRContext *context,
                                 ::llvm::ArrayRef<int64_t> block,
                                 ::llvm::ArrayRef<int64_t> points);
    /// Points along an axis that are held.
    int64_t getExtent(int64_t axis) const;
    int64_t countRegisters() const;
    int64_t countThreads() const;
    /// The point, from the lower corner of the box, that a thread holds in a
    /// register.
    ::llvm::SmallVector<int64_t> getPoint(int64_t thread, int64_t reg) const;
  }];
}

def Tile_CoreAndRimAttr : Tile_Attr<"CoreAndRim", "core_and_rim"> {
  let summary = "a layout of the tile and of what is computed beside it";
  let description = [{
    ```mlir
    #tile.core_and_rim<core = <rank = 3, registers = [2: 2 by 1], threads = [2: 32 by 2, 1: 4 by 1]>, box = <[0, -1, -1], [1, 5, 65]>, vector = 2>
    ```
    The tile is held as `core` says. The *rim*, what of the box is beside the tile, has two parts, which are dealt out to the
    threads one after the other:

    1. The *rows*: points that are beside the tile along another axis than the last one, and along the last axis are points of
       the tile. They come in groups of `vector` neighbouring points of a row (1 if it is not given), from the beginning of the tile on. First
       those beside the tile along the first axis, then those that are left beside it along the next.
    2. The *columns*: points that are beside the tile along the last axis, whatever they are along the others. They come one by one.

    What is beside the tile along an axis is first what is before it, then what is behind it. Within each of these parts
    coordinates count up, the last one fastest. Groups, and behind them points, are numbered in this order, from 0 on. A
    thread holds those with the numbers t, t + n, t + 2 n..., t being its own number and n that of the threads in its block.

    Above, on [0,4] x [0,64] points, 2 rows of 64 points are 64 groups. Behind them come 6 rows of 2 points, 12 numbers. Thread 5 of 128 has the
    points [-1, 10] and [-1, 11], thread 64 the point [-1, -1], thread 65 the point [-1, 64].

    Constraints: the box has the rank of `core`, is static, and has all points that `core` holds, and more; `vector` is
    positive and divides the extent of `core` along the last axis.
  }];
  let parameters = (ins "::stencil::tile::LayoutAttr":$core, "::stencil::BoundsAttr":$box,
                        DefaultValuedParameter<"int64_t", "1">:$vector);
  let assemblyFormat = "`<` `core` `=` $core `,` `box` `=` $box (`,` `vector` `=` $vector^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Points along an axis before the tile, and behind it.
    int64_t getBefore(int64_t axis) const { return -getBox().getLb()[axis]; }
    int64_t getBehind(int64_t axis) const {
      return getBox().getUb()[axis] - getCore().getExtent(axis);
    }
    /// Points of the rim.
    int64_t countRim() const;
    /// Those of its rows.
    int64_t countRows() const;
    /// How many numbers there are to deal out: groups and points.
    int64_t countDealt() const;
  }];
}

def Tile_FmaAttr : Tile_Attr<"Fma", "fma"> {
  let summary = "an engine: the body of a stage, op by op, at each point";
  let description = [{
    What a stage without `tile.engine` is computed by. It can compute any stage.
  }];
}

def Tile_TapsAttr : Tile_Attr<"Taps", "taps"> {
  let summary = "an engine: a long sum, as loops over its taps";
  let description = [{
    ```mlir
    %s = stencil.apply(%t = %x : !read) -> (!tile) {
      %0 = stencil.weighted_sum %t offsets [...] weights dense<...> : tensor<2049xf64> : !read
      stencil.return %0 : f64
    } attributes {tile.engine = #tile.taps}
    ```
    The weights are in constant memory. A thread computes all of its points of a row at once, which hand on in registers what
    they have read; all threads do, at all points of the tile.

    Constraints: the body is one `stencil.weighted_sum` of the one input, with constant weights of the type of
    the sum, not all 0; the input is a `tile.source` of a ring, in a kernel that does not walk.
  }];
}

def Tile_MmaAttr : Tile_Attr<"Mma", "mma"> {
  let summary = "an engine: a sum as products of matrices, by the instructions of a warp";
  let description = [{
    ```mlir
    %s = stencil.apply(%t = %x : !read) -> (!tile) attributes {tile.engine = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1>} {
      %0 = stencil.weighted_sum %t offsets [...] weights dense<...> : tensor<49xf64> : !read
      stencil.return %0 : f64
    }
    ```
    | parameter | meaning |
    |---|---|
    | `shape` | rows M, columns N and depth K of the instruction, D[M x N] = A[M x K] B[K x N] + C |
    | `patch` | per axis, the outputs that one row of A serves: N in all |
    | `along` | the axis along which the M rows of an instruction lie side by side |
    | `stack` | the patches, one behind the other along `along`, before the next row of A begins (1 if it is not given) |
    | `pad` | the elements that rows of the ring are longer than a multiple of 32 bytes, so that two rows begin in different banks (0 if it is not given) |
    | `gap` | the elements of rows of the ring behind each row of A that nobody uses, so that the next row of A begins in other banks; `along` is the last axis then (0 if it is not given) |

    Column n of B is for the output number n of a patch (the last axis is the fastest). Row k is for the input at an offset from the patch's first output: of all inputs
    that the patch reads, in row-major order and plane by plane of a walk, K are taken at a time (others together where lanes would meet in a bank of shared memory), and `B[k][n]` is the weight of the tap `offset(k) - output(n)`, or 0. So a sum
    over a box of n taps per axis takes the product of (patch + n - 1) multiply-adds per output, rounded up to K. A is not built: a lane reads its
    elements in the ring, where neighbouring patches have most of them in common. What reads the same inputs for several patches of a warp is read once: patches of a
    stack do, each a patch later than the one before it.
    `patch = [1, n + 1]` is the dual tessellation of Chen et al., "ConvStencil" (PPoPP 2024); an output patch of two axes has fewer products by zeros.

    Elements of 16 bits are read two by two, if the patch is even along the last axis: rows of inputs are whole pairs, the first one at an even coordinate. What is no input of
    the patch, but the other half of a pair, has weights of 0, and is taken for 0.

    Steps whose weights do not fit the registers are loops: as many steps to a turn as make some hundred instructions, where the inputs of a turn are those of the
    turn before, moved. What follows no such rule, or is left over, is written out.

    The order of the sum is the instruction's. A product by zero is one: what is not finite spreads over the patches that read it.

    Constraints: the body is one `stencil.weighted_sum` of the one input over all axes, with constant weights of the type of
    the sum, not all 0; the input is a `tile.source` of a ring; the GPU has the instruction for its type; the kernel's grid has the layout of the
    fragments (`layout`); `patch` is 1 along the walk; where pairs are read, the ring begins at an even
    coordinate of the last axis, and its `pitch` and `gap` are even; a ring with gaps has those of the engine, and segments as long as from one row of A to the next.
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$shape, "::mlir::DenseI64ArrayAttr":$patch, "int64_t":$along,
                        DefaultValuedParameter<"int64_t", "1">:$stack, DefaultValuedParameter<"int64_t", "0">:$pad,
                        DefaultValuedParameter<"int64_t", "0">:$gap);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getM() const { return getShape()[0]; }
    int64_t getN() const { return getShape()[1]; }
    int64_t getK() const { return getShape()[2]; }
    /// From one row of A to the next: points along `along`.
    int64_t getRowDistance() const {
      return getPatch()[getAlong()] * getStack();
    }
    /// From one row of A to the next: elements of a ring. Segments of its rows are whole rows of A, or there are none.
    int64_t getDistance(const ::stencil::tile::RingPlaces &places) const;
  }];
}

def Tile_LanesAttr : Tile_Attr<"Lanes", "lanes"> {
  let summary = "an engine: neighbours from the registers of neighbouring threads";
  let description = [{
    ```mlir
    %l, %r = stencil.apply(%t = %x : !read, %q = %n : !tile) -> (!tile, !tile) attributes {tile.engine = #tile.lanes} {
      %0 = stencil.access %t[0, 0, -1] : !read
      %1 = stencil.access %t[0, 0, 1] : !read
      stencil.return %0, %1 : f64, f64
    }
    ```
    What is read of the source %x, in memory, threads hold as %n, each at its own points. So a thread has it
    from the registers of its neighbour, if that is in the same row of the same warp, else from memory.

    If the source is a ring with `edges = R of N`, what is beside a row is nowhere, and not specified; and a thread reads as far as
    R rows beside its own N along the axis before the last: the rows that it does not hold in the ring, and what is beside
    its columns there from its neighbours, which have read the same row.

    Constraints: a source and values as inputs; the body is accesses of the source, at the plane of the values and at
    offset 0 along all other axes but the last one, which is not that of the walk, and, of a ring with edges, the one before; results of one plane.
  }];
}

def Tile_BoundaryAttr : Tile_Attr<"Boundary", "boundary"> {
  let summary = "a box of a field, and what is around it";
  let description = [{
    ```mlir
    #tile.boundary<box = <[0, 0, 0], [64, 64, 64]>, sides = [#stencil.periodic, #stencil.neumann, #stencil.dirichlet<0.0> | #stencil.keep]>
    ```
    The values that a `stencil.boundary` with this box and these conditions, one or two per axis, would write around the box, corners included.
    They are in no field: a ring gets them (`tile.copy`, `tile.fringe`, `tile.patch`), as far as somebody reads it.

    How far that is follows from the `needs` of the op. With `reach`, such as `<[-1, 0, 0], [2, 1, 1]>` of one point on either side of axis 0, it is no farther than
    that, although tiles need more around their own points: where what stages make is cut off at the box, those next to it need less than the others.

    Constraints: a lower and an upper condition for each axis; a `reach` of as many axes, and not within the box.
  }];
  let parameters = (ins "::stencil::BoundsAttr":$box, "::mlir::ArrayAttr":$sides,
                        OptionalParameter<"::stencil::BoundsAttr">:$reach);
  let assemblyFormat = "`<` `box` `=` $box `,` `sides` `=` custom<Sides>($sides) (`,` `reach` `=` $reach^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Points beyond the box that somebody reads, on each side of each axis, of
    /// `needs` around the points of a domain.
    ::stencil::OffsetBox findReach(::stencil::BoundsAttr domain,
                                   const ::stencil::OffsetBox &needs) const;

    ::mlir::Attribute getCondition(int64_t axis, bool upper) const {
      return getSides()[2 * axis + (upper ? 1 : 0)];
    }
  }];
}

def Tile_Fill : I32EnumAttr<"Fill", "how planes get into a ring", [
    I32EnumAttrCase<"Threads", 0, "threads">,
    I32EnumAttrCase<"Delayed", 1, "delayed">,
    I32EnumAttrCase<"Async", 2, "async">,
    I32EnumAttrCase<"Tma", 3, "tma">,
    I32EnumAttrCase<"Stage", 4, "stage">]> {
  let cppNamespace = "::stencil::tile";
}

#endif // STENCILDIALECT_TILE_TILEATTRS_TD
