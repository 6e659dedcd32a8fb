//===- StencilAttrs.td - Attributes of the stencil dialect --*- tablegen -*-===//

#ifndef STENCILDIALECT_IR_STENCILATTRS_TD
#define STENCILDIALECT_IR_STENCILATTRS_TD

include "StencilDialect/IR/ScheduleKeys.td"
include "StencilDialect/IR/StencilDialect.td"
include "StencilDialect/IR/StencilInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Stencil_IndexAttr : Stencil_Attr<"Index", "index"> {
  let summary = "one integer per axis: an offset, a position or a factor";
  let description = [{
    Example: `#stencil.index<[-1, 0]>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getValues().size(); }
    bool isZero() const { return ::stencil::isZero(getValues()); }
  }];
}

def Stencil_BoundsAttr : Stencil_Attr<"Bounds", "bounds"> {
  let summary = "a half-open box of grid points";
  let description = [{
    `#stencil.bounds<[0, 0], [64, 64]>` is the box `[0,64) x [0,64)`. A bound may
    be relative to the run-time extent of its axis: `<[0, 0], [?, ?-1]>`. The
    upper bound is greater than the lower one on every axis.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$lb,
                        ArrayRefParameter<"int64_t">:$ub);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getLb().size(); }

    /// True if a bound is relative to a run-time extent.
    bool isSymbolic() const;

    /// Extents per axis; ShapedType::kDynamic where not known statically.
    ::llvm::SmallVector<int64_t> getShape() const;

    /// True if every point of `other` lies in this box.
    bool contains(BoundsAttr other) const;

    /// The box that has others of its bounds along an axis.
    BoundsAttr withAxis(int64_t axis, int64_t lb, int64_t ub) const;
  }];
}

//===----------------------------------------------------------------------===//
// Boundary conditions
//===----------------------------------------------------------------------===//

// `rule` is the HaloRule, which says all that the compiler and the interpreter
// know of a condition.
class Stencil_ConditionAttr<string name, string attrMnemonic, string rule>
    : AttrDef<Stencil_Dialect, name,
              [DeclareAttrInterfaceMethods<Stencil_ConditionAttrInterface>]> {
  let mnemonic = attrMnemonic;
  let extraClassDefinition = !strconcat(
      "::stencil::HaloRule $cppClass::getRule() const {\n"
      "  return ::stencil::HaloRule::", rule, ";\n}\n");
}

def Stencil_PeriodicAttr : Stencil_ConditionAttr<"Periodic", "periodic", "wrap()"> {
  let summary = "f[c] = f[lb + (c - lb) mod n]; on both sides of an axis or on none";
}

def Stencil_NeumannAttr : Stencil_ConditionAttr<"Neumann", "neumann", "point(0, 0)"> {
  let summary = "zero gradient: the nearest interior value";
}

def Stencil_SymmetricAttr : Stencil_ConditionAttr<"Symmetric", "symmetric", "point(0, 1)"> {
  let summary = "mirror about the outermost interior point: f[lb-1-i] = f[lb+1+i]";
}

def Stencil_AntisymmetricAttr : Stencil_ConditionAttr<"Antisymmetric", "antisymmetric", "point(0, 1, true)"> {
  let summary = "negated mirror: f[lb-1-i] = -f[lb+1+i]";
}

def Stencil_SymmetricAboutFaceAttr : Stencil_ConditionAttr<"SymmetricAboutFace", "symmetric_about_face", "point(-1, 1)"> {
  let summary = "mirror about the face of the outermost interior cell: f[lb-1-i] = f[lb+i]";
}

def Stencil_AntisymmetricAboutFaceAttr : Stencil_ConditionAttr<"AntisymmetricAboutFace", "antisymmetric_about_face", "point(-1, 1, true)"> {
  let summary = "negated mirror about the face: f[lb-1-i] = -f[lb+i]";
}

def Stencil_KeepAttr : Stencil_ConditionAttr<"Keep", "keep", "keep()"> {
  let summary = "the halo is left as it is";
}

def Stencil_DirichletAttr : Stencil_ConditionAttr<"Dirichlet", "dirichlet", "constant(getValue())"> {
  let summary = "the halo has a given value";
  let description = [{
    Example: `#stencil.dirichlet<1.5>`. The value is converted to the element
    type of the field; a value that an integer field cannot hold is an error.
  }];
  let parameters = (ins "::mlir::TypedAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Stencil_ExtrapolateAttr : Stencil_ConditionAttr<"Extrapolate", "extrapolate", "polynomial(getOrder())"> {
  let summary = "polynomial of the given order through the nearest order+1 interior points";
  let description = [{
    Order 0 repeats the outermost value, order 1 continues its slope. Orders up
    to 8 are accepted; the weights grow like binomial coefficients.
  }];
  let parameters = (ins "int64_t":$order);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

def Stencil_TargetAttr : Stencil_Attr<"Target", "target"> {
  let summary = "the GPU that a module is compiled for";
  let description = [{
    The attribute `stencil.target` of a module: passes take from it what the GPU
    has and can do. `stencil-attach-target` sets it, the pipelines for GPUs do so
    first. A module without it is for the CPU, or for a GPU that is chosen later.

    ```mlir
    module attributes {stencil.target = #stencil.target<chip = "sm_90">} { ... }
    ```

    `chip` is a name that LLVM compiles for, such as `sm_90`, `sm_90a` or
    `gfx942`, or a product, such as `h100` or `mi300x`; another one is an error.
    The facts are those of
    [TargetInfo.h](../../include/StencilDialect/Target/TargetInfo.h): exact for
    products, `sm_80`, `sm_90`, `sm_100`, `gfx90a`, `gfx942` and `gfx950`; for others what
    every GPU of the vendor has.
  }];
  let parameters = (ins StringRefParameter<"a name that LLVM compiles for, or a product">:$chip);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The name of the attribute of a module that holds a target.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.target";

    /// What the GPU has and can do. It lives as long as the process.
    const ::stencil::TargetInfo &getInfo() const;
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Stencil_ScheduleAttr : Stencil_Attr<"Schedule", "schedule"> {
  let summary = "how an apply is to be computed on a GPU";
  let description = !strconcat([{
    The attribute `stencil.schedule` of an apply. Lists have one entry per axis
    of the apply, but for `window` and `groups`. What is not named is chosen by the lowering.

    ```mlir
    #stencil.schedule<block = [1, 4, 64], points = [1, 1, 2], window = cache, order = [2, 1, 0], panel = [0, 8, 0], launch_bounds = 2>
    #stencil.schedule<block = [1, 4, 64], points = [1, 4, 2], stream = 0, segments = 32, window = [shared, cache], accumulate = scatter, prefetch = tma, stages = 4>
    ```

    | key | value | meaning |
    |---|---|---|
  }], Stencil_KeyTable, [{
    The interpreter does not look at schedules. A CPU takes some of the keys (`stencil-select-cpu-schedule`).
  }]);
  let parameters = (ins AttrParameter<
      "::stencil::ScheduleAttr::Keys", "the keys that are given",
      "const ::stencil::ScheduleAttr::Keys &">:$keys);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = !strconcat([{
    /// What a key can have: its number in C, numbers from `least` to `most`, an
    /// entry for each axis, or some words; and whether the ops of a pipeline
    /// say it in place of its schedule.
    struct KeyInfo {
      int32_t number;
      ::llvm::StringRef name;
      int64_t least, most;
      bool isPerAxis, isSaidByOps;
      ::llvm::SmallVector<::llvm::StringRef, 5> words;
    };

    /// The keys by name, to build a schedule or to change one.
    struct Keys {
      Keys() = default;
      /// Null: none.
      explicit Keys(ScheduleAttr schedule) : Keys(schedule ? schedule.getKeys() : Keys()) {}

      /// Reports what ScheduleAttr::verify finds, and is null then.
      ScheduleAttr getChecked(
          ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
          ::mlir::MLIRContext *context) const;
      /// For keys that are known to fit each other.
      ScheduleAttr get(::mlir::MLIRContext *context) const;
      /// Makes that the schedule of an op.
      void give(::mlir::Operation *op) const;

  }], Stencil_KeyMembers, [{
      /// Calls `visit` with the KeyInfo and the value of each key: a list, or
      /// an optional number or word, or a number that is 0 if it is not given.
      template <typename Self, typename Visitor>
      static void forEach(Self &keys, Visitor visit) {
  }], Stencil_KeyVisits, [{
      }

      bool operator==(const Keys &other) const {
        return true }], Stencil_KeyEquality, [{;
      }
      friend ::llvm::hash_code hash_value(const Keys &keys) {
        return ::llvm::hash_combine(0 }], Stencil_KeyHashes, [{);
      }

    private:
      template <typename T> static const T &toHashed(const T &value) {
        return value;
      }
      template <typename T>
      static ::llvm::hash_code toHashed(const ::llvm::SmallVector<T> &list) {
        return ::llvm::hash_combine_range(list);
      }
    };

  }], Stencil_KeyGetters, [{
    /// The limits of numbers.
  }], Stencil_KeyLimits, [{
    /// The name of the attribute of an apply that holds a schedule.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.schedule";
    /// That of an op; null if it has none.
    static ScheduleAttr of(::mlir::Operation *op);

    /// The number of axes that the lists are for; 0 if there is no list.
    int64_t getRank() const;

    /// True if it can be obeyed by something of so many axes: the lists are
    /// for as many, and the axis of `stream` is one of them.
    bool suitsRank(int64_t rank) const;

    /// The window of field input number `input`, scalars not counted. One that
    /// is given holds for all inputs.
    ::stencil::Space getWindowOf(unsigned input) const;

    /// The pieces of an axis of `stream` of so many points: `segments`, or as
    /// many as there are of `planes`.
    int64_t countSegments(int64_t extent) const;

    /// True if an apply has to become a pipeline to obey it: it walks along an
    /// axis, or has a window that is not the cache.
    bool needsPipeline() const;
  }]);
}

def Stencil_RegionGroupAttr : Stencil_Attr<"RegionGroup", "region_group"> {
  let summary = "which launches may run at the same time";
  let description = [{
    The attribute `stencil.region_group` of applies and pipelines, and of their
    launches. `stencil-group-regions` puts it there: those of one block of the
    program that have the same number, and follow each other, neither read nor
    store to a point that another one stores to; nor does the first one, if others stand
    between it and the next, with these. Those with `launch` are to
    become one launch; those with `streams`, and that launch beside them, are to
    have streams of their own.

    ```mlir
    #stencil.region_group<0, launch>
    ```
  }];
  let parameters = (ins "int64_t":$number, "::stencil::RegionLaunch":$how);
  let assemblyFormat = "`<` $number `,` $how `>`";
  let extraClassDeclaration = [{
    /// The name of the attribute of an op that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.region_group";
    /// That of an op; null if it has none.
    static RegionGroupAttr of(::mlir::Operation *op);
  }];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def Stencil_KernelAccess : I32EnumAttr<"KernelAccess", "what a kernel does with memory that it is given", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Read", 1, "read">,
    I32EnumAttrCase<"Write", 2, "write">,
    I32EnumAttrCase<"ReadWrite", 3, "readwrite">]> {
  let cppNamespace = "::stencil";
}

def Stencil_StageAttr : Stencil_Attr<"Stage", "stage"> {
  let summary = "when a pipeline runs a stage, and where threads compute it";
  let description = [{
    The attribute `stencil.stage` of an apply in a `stencil.pipeline` with an
    axis: in the iteration for plane p the stage computes plane p + lead.

    ```mlir
    #stencil.stage<lead = 4>
    #stencil.stage<lead = 2, skew = [0, -1]>
    ```

    With a `skew`, the thread that has point x of the tile computes point x + skew of the stage: points, one number per axis of the apply, 0
    along the axis of the pipeline. It says who computes what, and which points beside a tile are computed twice; no result depends on it. What a stage of skew s reads at offset o of one with skew t
    lies s - t + o from the thread's own point: with a skew of one less, [-1, 0, 1] become [-2, -1, 0], all on one side. Only differences count: tiles begin where
    what is stored does. `stencil-skew-stages` turns skews into offsets; CPUs and the interpreter take no notice of them. Without an axis the lead is 0, and a stage has the attribute for its skew only.

    Constraints: a skew of up to 1024 points either way along each axis.
  }];
  let parameters = (ins "int64_t":$lead,
                        OptionalParameter<"::mlir::DenseI64ArrayAttr">:$skew);
  let assemblyFormat = "`<` struct(params) `>`";
  let builders = [AttrBuilder<(ins "int64_t":$lead), [{
    return $_get($_ctxt, lead, ::mlir::DenseI64ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// The name of the attribute of an apply that holds it.
    static constexpr ::llvm::StringLiteral kAttrName = "stencil.stage";
    /// That of an apply; null if it has none.
    static StageAttr of(::mlir::Operation *apply);
    /// Makes a stage of an apply.
    static void give(::mlir::Operation *apply, int64_t lead, ::mlir::DenseI64ArrayAttr skew = {});

    /// Whether a skew is given, and is not zero along all axes.
    bool isSkewed() const { return getSkew() && !isZero(getSkew()); }
  }];
}

//===----------------------------------------------------------------------===//
// Time loops
//===----------------------------------------------------------------------===//

def Stencil_TimeLoopAttr : Stencil_Attr<"TimeLoop", "time_loop"> {
  let summary = "what is known of a loop over time steps";
  let description = [{
    The attribute `stencil.time_loop` of an scf.for, which
    `stencil-raise-time-loops` puts there. It says that the loop carries fields
    only and yields a permutation of them, that its body is one step without
    other side effects or branches, that all stores and boundary ops are for one
    interior, that halos are filled before they are read, and that no field that
    it only reads is one that it stores to.

    ```mlir
    #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2>
    ```

    | key | meaning |
    |---|---|
    | `interior` | the box that is stored to |
    | `lower`, `upper` | the box of offsets, both ends included, from which the state reaches a point within one step |
    | `buffers` | fields that take turns in holding the state; 1: in place |
    | `levels` | fields whose contents at the beginning of a step are read: 1 for u(n+1) = f(u(n)), 2 for u(n+1) = f(u(n), u(n-1)) |
    | `stages` | substeps: stores that depend on each other within a step |
    | `period` | steps after which all fields are in their places again |
    | `step_dependent` | whether an apply takes a scalar that is computed from the loop's induction variable |
  }];
  let parameters = (ins "::stencil::BoundsAttr":$interior,
                        "::stencil::IndexAttr":$lower,
                        "::stencil::IndexAttr":$upper,
                        "uint64_t":$buffers, "uint64_t":$levels,
                        "uint64_t":$stages, "uint64_t":$period,
                        DefaultValuedParameter<"bool", "false">:$step_dependent);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Fold kinds
//===----------------------------------------------------------------------===//

def Stencil_FoldKind : I32EnumAttr<"FoldKind", "what stencil.fold computes", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Min", 1, "min">,
    I32EnumAttrCase<"Sum", 2, "sum">,
    I32EnumAttrCase<"Rms", 3, "rms">]> {
  let cppNamespace = "::stencil";
}

#endif // STENCILDIALECT_IR_STENCILATTRS_TD
