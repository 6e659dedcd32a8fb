//===- CPULoops.td - What loops on a CPU look like -----------*- tablegen -*-===//
//
// A key is declared here, and once: reader, printer, getter and documentation
// follow. stencil-shape-loops chooses, convert-stencil-to-cpu carries out.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_CPULOOPS_TD
#define STENCILDIALECT_IR_CPULOOPS_TD

include "StencilDialect/IR/StencilDialect.td"

// A number that is `otherwise` where it is not given.
class Stencil_LoopNumber<string otherwise, string text>
    : DefaultValuedParameter<"int64_t", otherwise, text>;

// A list in brackets, empty where it is not given.
class Stencil_LoopList<string text> : OptionalArrayRefParameter<"int64_t", text> {
  let parser = "::stencil::parseLoopList($_parser)";
  let printer = "::stencil::printLoopList($_printer, $_self)";
}

def Stencil_CPUBlocksAttr : Stencil_Attr<"CPUBlocks", "cpu_blocks"> {
  let summary = "blocks of rows that a thread walks along the planes of a volume";
  let description = [{
    The key `blocks` of `#stencil.cpu_loops`. A block has as many rows as fit: with `n` points in a row, they take
    `n * (halo + row * rows)` bytes of `cache`. If that is `rows` rows at least, and fewer than there are, tiles are blocks;
    else they are what `tile` says. A walk along the planes is as long as makes `tiles` tiles, within `planes`. All this is
    computed when the program runs, as only that knows open extents; with known ones it folds.

    ```mlir
    #stencil.cpu_blocks<cache = 524288, row = 48, halo = 32, rows = 4, planes = [8, 64], tiles = 128>
    ```
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "bytes that hold what a walk reads again">:$cache,
    AttrParameter<"int64_t", "bytes of each row of a block, for each of its points: what is kept of all fields and planes">:$row,
    AttrParameter<"int64_t", "the same for all rows beside a block together">:$halo,
    AttrParameter<"int64_t", "rows of the smallest block that pays">:$rows,
    Stencil_LoopList<"planes of the shortest and of the longest walk">:$planes,
    AttrParameter<"int64_t", "tiles that there are to be, for the threads to have equal parts">:$tiles);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stencil_CPULoopsAttr : Stencil_Attr<"CPULoops", "cpu_loops"> {
  let summary = "what the loops of an op look like on a CPU";
  let description = [{
    The attribute `stencil.cpu_loops` of a bufferised apply, a pipeline, a stage, a fold, a time loop with `stencil.diamonds`; of a
    boundary, a list with one for each axis. `stencil-shape-loops` writes it, from the description of a CPU; `convert-stencil-to-cpu` carries it out. An op
    without it becomes plain loops: no vectors, one tile, one thread, no line fetched early.

    ```mlir
    #stencil.cpu_loops<lanes = 8, rows = 2, columns = 4, threads = 16, tile = [16, 0], alone = 8192>
    ```

    Of a stage, `lanes`, `rows` and `columns` count, and of its pipeline the rest. So it is of the applies of a loop in diamonds,
    whose `threads` share those of a row, and whose `cache` holds a tile.
  }];
  let parameters = (ins
    Stencil_LoopNumber<"1", "points of a vector, along the last axis; a power of two">:$lanes,
    Stencil_LoopNumber<"1", "rows that are computed together">:$rows,
    Stencil_LoopNumber<"1", "vectors of a row that are computed together">:$columns,
    Stencil_LoopNumber<"1", "of a volume that is written around the caches: planes that are computed together, vector by vector, if their rows begin at the same place in a vector">:$planes,
    Stencil_LoopNumber<"1", "of a volume: the same where it is stored plainly, as it is where `planes` cannot be together then">:$plain_planes,
    Stencil_LoopNumber<"0", "threads that share the tiles; 0: the loops are the calling thread's">:$threads,
    Stencil_LoopList<"points of a tile per axis, 0: the whole axis; not given: the whole box. Of a boundary: per axis but its own. Of a fold of one axis: points that are folded to one value, before these are; with more axes, that is what one index of the first has">:$tile,
    Stencil_LoopNumber<"0", "fewer points than this are one tile, which is seen when the program runs">:$alone,
    OptionalParameter<"::stencil::CPUBlocksAttr", "of a volume: blocks in the place of tiles">:$blocks,
    Stencil_LoopNumber<"0", "of a pipeline: bytes of what a thread keeps of a tile, which tiles fill along the axes of which `tile` says nothing; 0: these are whole. Of a loop in diamonds: bytes of what a tile of one holds">:$cache,
    Stencil_LoopNumber<"0", "of a pipeline: points of the last axis that such a tile has at most, if other axes share the room; 0: any number">:$row,
    Stencil_LoopNumber<"0", "of an apply: bytes along a row at which lines are fetched before they are used; 0: they are not">:$prefetch,
    Stencil_LoopNumber<"64", "bytes of a line of the caches">:$line,
    Stencil_LoopNumber<"0", "results are written around the caches, row by row, where the fields take more bytes than this; 0: they are not">:$around,
    Stencil_LoopNumber<"0", "of an apply: points of the shortest row that is written around the caches">:$around_row,
    Stencil_LoopNumber<"0", "of an apply: points of a vector of what is written around the caches; 0: `lanes`">:$around_lanes,
    Stencil_LoopNumber<"0", "of an apply: tiles that a thread takes at a time, its own first and then others', where results are written around the caches, or in any case without `around`. Of a pipeline: planes of a tile that a thread takes at a time, at least. Of a loop in diamonds, not 0: a thread goes on with the next row of diamonds where what it reads of this one is done. 0: a thread has its own only">:$deal);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute of an op that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.cpu_loops";
  }];
}

def Stencil_DiamondsAttr : Stencil_Attr<"Diamonds", "diamonds"> {
  let summary = "how a CPU takes the steps of a time loop in diamonds";
  let description = [{
    The attribute `stencil.diamonds` of an scf.for. It is asked for in the program, or chosen by `stencil-block-time`. It changes the order in which a CPU
    computes points, and not what they are: the loop means what it means without it, and on a GPU it is one without it. In time
    and along the first axis the steps are cut into diamonds, which are `steps` high; those of a row do not read each other,
    and threads share them. A diamond is cut along the second axis into tiles that are skewed by what a step reads; in a tile
    it is step after step. `tile` is their size along that axis; 0: as large as a core's cache can hold. `stencil-block-time`
    says why a loop cannot be cut so, `convert-stencil-to-cpu` cuts it. Its `stencil.cpu_loops` has the threads and the cache.

    ```mlir
    #stencil.diamonds<steps = 7, tile = 8>
    ```
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "steps from the lowest to the highest point of a diamond, an odd number up to 1023">:$steps,
    Stencil_LoopNumber<"0", "points of a tile along the second axis; 0: chosen when the program runs">:$tile);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute of a loop that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.diamonds";
  }];
}

#endif // STENCILDIALECT_IR_CPULOOPS_TD
