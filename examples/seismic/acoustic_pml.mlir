// An acoustic wave in rock with absorbing layers (PML) on all sides: 8th order in space and 2nd in time, FP32, after
// Sai et al., Accelerating high-order stencils on GPUs, section 2.2 and its code (github.com/rsrice/CPE21-Artifact).
//
//   interior (eqs. 1 to 3):  u+ = 2 u - u- + k lap(u)
//   layers:                  u+ = ((2 + 2 eta - eta^2) u - u- + k (lap(u) + phi)) / (1 + 2 eta)
//                            phi+ = (phi - grad(eta) . grad(u)) / (1 + eta)
//   source (eq. 2):          u+ = u+ + k f at one point, f a Ricker wavelet
//
// k = (v dt / h)^2; lap and phi are times h^2, eta times dt. lap is the star of 25 points, both gradients are central
// differences of 2nd order. Axes: z (depth), y, x.
//
// u+ is stored over u-, phi+ over phi: both are read at offset zero only. Beyond the grid u is zero. The velocities are
// a section in z and x, the same for all y.
//
// As it is, this is one kernel for all points, which branches. Two and seven regions come of it by stencil-split-regions.
// examples/seismic/run does all this, for any grid: it writes the aliases from here to the function anew.

// The fields of the grid, the grid, and the planes between which there is no layer.
!wave = !stencil.field<[-4,44]x[-4,44]x[-4,44]xf32>
!coeff = !stencil.field<[0,40]x[0,40]x[0,40]xf32>
!damping = !stencil.temp<[-1,41]x[-1,41]x[-1,41]xf32>
!model = !stencil.field<[0,40]x[0,40]xf32>
#grid = #stencil.bounds<[0, 0, 0], [40, 40, 40]>
#z_begin = 8 : index
#z_end = 32 : index
#y_begin = 8 : index
#y_end = 32 : index
#x_begin = 8 : index
#x_end = 32 : index
// The point of the source; receivers: a line along x, for every step; snapshots: the source's section, now and then.
#source = #stencil.bounds<[12, 20, 20], [13, 21, 21]>
!seismogram = !stencil.field<[0,60]x[10,11]x[20,21]x[0,40]xf32>
#receivers = #stencil.bounds<[0, 10, 20, 0], [60, 11, 21, 40]>
!snapshots = !stencil.field<[0,3]x[0,40]x[20,21]x[0,40]xf32>
#sections = #stencil.bounds<[0, 0, 20, 0], [3, 40, 21, 40]>
!energies = !stencil.field<[0,3]xf32>
#moments = #stencil.bounds<[0], [3]>
#interval = 20 : index
// What is wanted of the wave after the last step.
!final = !stencil.field<[0,40]x[0,40]x[0,40]xf32>
#final = #stencil.bounds<[0, 0, 0], [40, 40, 40]>
!t1 = !stencil.temp<?xf32>
!t2 = !stencil.temp<?x?xf32>
!t3 = !stencil.temp<?x?x?xf32>
!t4 = !stencil.temp<?x?x?x?xf32>

// %velocity in m/s, %dt in s, %spacing (h) in m, %peak (of the spectrum of the wavelet) in Hz. %amplitude: of f.
// %damping: eta where a layer ends at the grid's end. %noise: of what u is before the first step; 0: rest.
func.func @acoustic_pml(%velocity: !model, %seismogram: !seismogram, %snapshots: !snapshots, %energies: !energies, %final: !final,
                        %dt: f64, %spacing: f64, %peak: f64, %amplitude: f64, %damping: f32, %noise: f32, %steps: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %interval = arith.constant #interval

  // u at two steps: a hash of the position, and zero beyond the grid.
  %old0 = stencil.alloc : !wave
  %now0 = stencil.alloc : !wave
  %start:2 = stencil.apply(%n = %noise : f32) -> (!t3, !t3) attributes {stencil.schedule = #stencil.schedule<>} {
    %z = stencil.index 0 <[0, 0, 0]>
    %y = stencil.index 1 <[0, 0, 0]>
    %x = stencil.index 2 <[0, 0, 0]>
    %zi = arith.index_cast %z : index to i32
    %yi = arith.index_cast %y : index to i32
    %xi = arith.index_cast %x : index to i32
    %p0 = arith.constant 73856093 : i32
    %p1 = arith.constant 19349663 : i32
    %p2 = arith.constant 83492791 : i32
    %p3 = arith.constant 1274126177 : i32
    %s13 = arith.constant 13 : i32
    %s16 = arith.constant 16 : i32
    %zp = arith.muli %zi, %p0 : i32
    %yp = arith.muli %yi, %p1 : i32
    %xp = arith.muli %xi, %p2 : i32
    %zy = arith.xori %zp, %yp : i32
    %zyx = arith.xori %zy, %xp : i32
    %low = arith.shrui %zyx, %s13 : i32
    %mixed = arith.xori %zyx, %low : i32
    %a = arith.muli %mixed, %p3 : i32
    %b = arith.muli %a, %p0 : i32
    // The upper half, from -1 to 1.
    %unit = arith.constant 3.05175781e-5 : f32
    %ah = arith.shrsi %a, %s16 : i32
    %bh = arith.shrsi %b, %s16 : i32
    %af = arith.sitofp %ah : i32 to f32
    %bf = arith.sitofp %bh : i32 to f32
    %au = arith.mulf %af, %unit : f32
    %bu = arith.mulf %bf, %unit : f32
    %an = arith.mulf %au, %n : f32
    %bn = arith.mulf %bu, %n : f32
    stencil.return %an, %bn : f32, f32
  }
  stencil.store %start#0 to %old0(#grid) : !t3 to !wave
  stencil.store %start#1 to %now0(#grid) : !t3 to !wave
  stencil.boundary %old0(#grid) [#stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>] : !wave
  stencil.boundary %now0(#grid) [#stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>, #stencil.dirichlet<0.0>] : !wave

  // What does not change.
  %ratio = arith.divf %dt, %spacing : f64
  %courant = arith.truncf %ratio : f64 to f32
  %k = stencil.alloc : !coeff
  %model = stencil.load %velocity : !model -> !t2
  %squares = stencil.apply(%v = %model : !t2, %c = %courant : f32) -> (!t3) attributes {stencil.schedule = #stencil.schedule<>} {
    %speed = stencil.access %v[0, _, 0] : !t2
    %number = arith.mulf %speed, %c : f32
    %square = arith.mulf %number, %number : f32
    stencil.return %square : f32
  }
  stencil.store %squares to %k(#grid) : !t3 to !coeff
  %phi = stencil.alloc : !coeff
  %nothing = stencil.apply() -> (!t3) attributes {stencil.schedule = #stencil.schedule<>} {
    %none = arith.constant 0.0 : f32
    stencil.return %none : f32
  }
  stencil.store %nothing to %phi(#grid) : !t3 to !coeff
  // In the layers: quadratic in the distance to the interior, added up for the axes. What the sweep reads is a field;
  // with stencil-fuse-applies=force=eta it is the three profiles, and adds them up wherever it needs their sum.
  %ez = stencil.apply(%d = %damping : f32) -> (!t1) attributes {stencil.schedule = #stencil.schedule<>} {
    %none = arith.constant 0 : index
    %one_ = arith.constant 1 : index
    %begin = arith.constant #z_begin
    %end = arith.constant #z_end
    %at = stencil.index 0 <[0]>
    %lower = arith.subi %begin, %at : index
    %upper_ = arith.subi %at, %end : index
    %upper = arith.addi %upper_, %one_ : index
    %outside = arith.maxsi %lower, %upper : index
    %distance = arith.maxsi %outside, %none : index
    %points = arith.index_cast %distance : index to i32
    %width_ = arith.index_cast %begin : index to i32
    %part = arith.sitofp %points : i32 to f32
    %width = arith.sitofp %width_ : i32 to f32
    %share = arith.divf %part, %width : f32
    %square = arith.mulf %share, %share : f32
    %res = arith.mulf %d, %square : f32
    stencil.return %res : f32
  }
  %ey = stencil.apply(%d = %damping : f32) -> (!t1) attributes {stencil.schedule = #stencil.schedule<>} {
    %none = arith.constant 0 : index
    %one_ = arith.constant 1 : index
    %begin = arith.constant #y_begin
    %end = arith.constant #y_end
    %at = stencil.index 0 <[0]>
    %lower = arith.subi %begin, %at : index
    %upper_ = arith.subi %at, %end : index
    %upper = arith.addi %upper_, %one_ : index
    %outside = arith.maxsi %lower, %upper : index
    %distance = arith.maxsi %outside, %none : index
    %points = arith.index_cast %distance : index to i32
    %width_ = arith.index_cast %begin : index to i32
    %part = arith.sitofp %points : i32 to f32
    %width = arith.sitofp %width_ : i32 to f32
    %share = arith.divf %part, %width : f32
    %square = arith.mulf %share, %share : f32
    %res = arith.mulf %d, %square : f32
    stencil.return %res : f32
  }
  %ex = stencil.apply(%d = %damping : f32) -> (!t1) attributes {stencil.schedule = #stencil.schedule<>} {
    %none = arith.constant 0 : index
    %one_ = arith.constant 1 : index
    %begin = arith.constant #x_begin
    %end = arith.constant #x_end
    %at = stencil.index 0 <[0]>
    %lower = arith.subi %begin, %at : index
    %upper_ = arith.subi %at, %end : index
    %upper = arith.addi %upper_, %one_ : index
    %outside = arith.maxsi %lower, %upper : index
    %distance = arith.maxsi %outside, %none : index
    %points = arith.index_cast %distance : index to i32
    %width_ = arith.index_cast %begin : index to i32
    %part = arith.sitofp %points : i32 to f32
    %width = arith.sitofp %width_ : i32 to f32
    %share = arith.divf %part, %width : f32
    %square = arith.mulf %share, %share : f32
    %res = arith.mulf %d, %square : f32
    stencil.return %res : f32
  }
  %eta = stencil.apply(%a = %ez : !t1, %b = %ey : !t1, %c = %ex : !t1) -> (!damping) attributes {stencil.name = "eta", stencil.schedule = #stencil.schedule<>} {
    %z = stencil.access %a[0, _, _] : !t1
    %y = stencil.access %b[_, 0, _] : !t1
    %x = stencil.access %c[_, _, 0] : !t1
    %zy = arith.addf %z, %y : f32
    %res = arith.addf %zy, %x : f32
    stencil.return %res : f32
  }

  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%old = %old0, %now = %now0) -> (!wave, !wave) {
    %told = stencil.load %old : !wave -> !t3
    %tnow = stencil.load %now : !wave -> !t3
    %tk = stencil.load %k : !coeff -> !t3
    %tphi = stencil.load %phi : !coeff -> !t3
    %new:2 = stencil.apply(%p = %told : !t3, %u = %tnow : !t3, %c = %tk : !t3, %e = %eta : !damping, %f = %tphi : !t3) -> (!t3, !t3)
        attributes {stencil.name = "sweep"} {
      %lap = stencil.weighted_sum %u offsets [[0, 0, 0],
          [-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1],
          [-2, 0, 0], [2, 0, 0], [0, -2, 0], [0, 2, 0], [0, 0, -2], [0, 0, 2],
          [-3, 0, 0], [3, 0, 0], [0, -3, 0], [0, 3, 0], [0, 0, -3], [0, 0, 3],
          [-4, 0, 0], [4, 0, 0], [0, -4, 0], [0, 4, 0], [0, 0, -4], [0, 0, 4]]
        weights dense<[-8.54166667,
          1.6, 1.6, 1.6, 1.6, 1.6, 1.6,
          -0.2, -0.2, -0.2, -0.2, -0.2, -0.2,
          2.53968254e-2, 2.53968254e-2, 2.53968254e-2, 2.53968254e-2, 2.53968254e-2, 2.53968254e-2,
          -1.78571429e-3, -1.78571429e-3, -1.78571429e-3, -1.78571429e-3, -1.78571429e-3, -1.78571429e-3]>
        : tensor<25xf32> : !t3
      %before = stencil.access %p[0, 0, 0] : !t3
      %here = stencil.access %u[0, 0, 0] : !t3
      %kc = stencil.access %c[0, 0, 0] : !t3
      %two = arith.constant 2.0 : f32
      %z = stencil.index 0 <[0, 0, 0]>
      %y = stencil.index 1 <[0, 0, 0]>
      %x = stencil.index 2 <[0, 0, 0]>
      %zb = arith.constant #z_begin
      %ze = arith.constant #z_end
      %yb = arith.constant #y_begin
      %ye = arith.constant #y_end
      %xb = arith.constant #x_begin
      %xe = arith.constant #x_end
      %above = arith.cmpi slt, %z, %zb : index
      %below = arith.cmpi sge, %z, %ze : index
      %front = arith.cmpi slt, %y, %yb : index
      %back = arith.cmpi sge, %y, %ye : index
      %left = arith.cmpi slt, %x, %xb : index
      %right = arith.cmpi sge, %x, %xe : index
      %inz = arith.ori %above, %below : i1
      %iny = arith.ori %front, %back : i1
      %inx = arith.ori %left, %right : i1
      %inzy = arith.ori %inz, %iny : i1
      %inLayer = arith.ori %inzy, %inx : i1
      %res:2 = scf.if %inLayer -> (f32, !stencil.result<f32>) {
        %one_ = arith.constant 1.0 : f32
        %quarter = arith.constant 0.25 : f32
        %ec = stencil.access %e[0, 0, 0] : !damping
        %fc = stencil.access %f[0, 0, 0] : !t3
        %ezu = stencil.access %e[1, 0, 0] : !damping
        %ezl = stencil.access %e[-1, 0, 0] : !damping
        %eyu = stencil.access %e[0, 1, 0] : !damping
        %eyl = stencil.access %e[0, -1, 0] : !damping
        %exu = stencil.access %e[0, 0, 1] : !damping
        %exl = stencil.access %e[0, 0, -1] : !damping
        %uzu = stencil.access %u[1, 0, 0] : !t3
        %uzl = stencil.access %u[-1, 0, 0] : !t3
        %uyu = stencil.access %u[0, 1, 0] : !t3
        %uyl = stencil.access %u[0, -1, 0] : !t3
        %uxu = stencil.access %u[0, 0, 1] : !t3
        %uxl = stencil.access %u[0, 0, -1] : !t3
        %ez = arith.subf %ezu, %ezl : f32
        %ey = arith.subf %eyu, %eyl : f32
        %ex = arith.subf %exu, %exl : f32
        %uz = arith.subf %uzu, %uzl : f32
        %uy = arith.subf %uyu, %uyl : f32
        %ux = arith.subf %uxu, %uxl : f32
        %pz = arith.mulf %ez, %uz : f32
        %py = arith.mulf %ey, %uy : f32
        %px = arith.mulf %ex, %ux : f32
        %pzy = arith.addf %pz, %py : f32
        %pzyx = arith.addf %pzy, %px : f32
        %dot = arith.mulf %quarter, %pzyx : f32
        %grown = arith.subf %fc, %dot : f32
        %twice = arith.mulf %two, %ec : f32
        %square = arith.mulf %ec, %ec : f32
        %less = arith.subf %two, %square : f32
        %factor = arith.addf %less, %twice : f32
        %inner = arith.mulf %factor, %here : f32
        %swing = arith.subf %inner, %before : f32
        %force = arith.addf %lap, %fc : f32
        %pull = arith.mulf %kc, %force : f32
        %moved = arith.addf %swing, %pull : f32
        %drag = arith.addf %one_, %twice : f32
        %damped = arith.divf %moved, %drag : f32
        %more = arith.addf %one_, %ec : f32
        %fading = arith.divf %grown, %more : f32
        %kept = stencil.store_result %fading : !stencil.result<f32>
        scf.yield %damped, %kept : f32, !stencil.result<f32>
      } else {
        %twice = arith.mulf %two, %here : f32
        %swing = arith.subf %twice, %before : f32
        %pull = arith.mulf %kc, %lap : f32
        %moved = arith.addf %swing, %pull : f32
        %none = stencil.store_result : !stencil.result<f32>
        scf.yield %moved, %none : f32, !stencil.result<f32>
      }
      stencil.return %res#0, %res#1 : f32, !stencil.result<f32>
    }
    stencil.store %new#0 to %old(#grid) : !t3 to !wave
    stencil.store %new#1 to %phi(#grid) : !t3 to !coeff

    // The wavelet: (1 - 2 a) exp(-a) with a = (pi peak (t - 1.5 / peak))^2, t = dt step (eq. 2).
    %pi = arith.constant 3.14159265358979312 : f64
    %oneAndAHalf = arith.constant 1.5 : f64
    %f1 = arith.constant 1.0 : f64
    %f2 = arith.constant 2.0 : f64
    %count_ = arith.index_cast %step : index to i64
    %count = arith.sitofp %count_ : i64 to f64
    %time = arith.mulf %count, %dt : f64
    %periods = arith.mulf %time, %peak : f64
    %since = arith.subf %periods, %oneAndAHalf : f64
    %phase = arith.mulf %pi, %since : f64
    %a = arith.mulf %phase, %phase : f64
    %fall = arith.negf %a : f64
    %bell = math.exp %fall : f64
    %twice = arith.mulf %f2, %a : f64
    %shape = arith.subf %f1, %twice : f64
    %ricker = arith.mulf %shape, %bell : f64
    %scaled = arith.mulf %amplitude, %ricker : f64
    %push = arith.truncf %scaled : f64 to f32
    %swept = stencil.load %old : !wave -> !t3
    %pushed = stencil.apply(%u = %swept : !t3, %c = %tk : !t3, %w = %push : f32) -> (!t3) attributes {stencil.name = "source", stencil.schedule = #stencil.schedule<>} {
      %u0 = stencil.access %u[0, 0, 0] : !t3
      %c0 = stencil.access %c[0, 0, 0] : !t3
      %term = arith.mulf %c0, %w : f32
      %res = arith.addf %u0, %term : f32
      stencil.return %res : f32
    }
    stencil.store %pushed to %old(#source) : !t3 to !wave

    // The row of this step. Threads look at the rows of eight steps each.
    %tnew = stencil.load %old : !wave -> !t3
    %row = stencil.apply(%u = %tnew : !t3, %s = %step : index) -> (!t4) attributes {stencil.name = "receivers", stencil.schedule = #stencil.schedule<block = [1, 1, 1, 256], points = [8, 1, 1, 1]>} {
      %t = stencil.index 0 <[0, 0, 0, 0]>
      %isNow = arith.cmpi eq, %t, %s : index
      %res = scf.if %isNow -> (!stencil.result<f32>) {
        %v = stencil.access %u[_, 0, 0, 0] : !t3
        %kept = stencil.store_result %v : !stencil.result<f32>
        scf.yield %kept : !stencil.result<f32>
      } else {
        %none = stencil.store_result : !stencil.result<f32>
        scf.yield %none : !stencil.result<f32>
      }
      stencil.return %res : !stencil.result<f32>
    }
    stencil.store %row to %seismogram(#receivers) : !t4 to !seismogram

    %next = arith.addi %step, %one : index
    %rest = arith.remui %next, %interval : index
    %isMoment = arith.cmpi eq, %rest, %zero : index
    scf.if %isMoment {
      %moment_ = arith.divui %next, %interval : index
      %moment = arith.subi %moment_, %one : index
      %tafter = stencil.load %old : !wave -> !t3
      %tbefore = stencil.load %now : !wave -> !t3
      %section = stencil.apply(%u = %tafter : !t3, %s = %moment : index) -> (!t4) attributes {stencil.name = "snapshot", stencil.schedule = #stencil.schedule<>} {
        %t = stencil.index 0 <[0, 0, 0, 0]>
        %isNow = arith.cmpi eq, %t, %s : index
        %res = scf.if %isNow -> (!stencil.result<f32>) {
          %v = stencil.access %u[_, 0, 0, 0] : !t3
          %kept = stencil.store_result %v : !stencil.result<f32>
          scf.yield %kept : !stencil.result<f32>
        } else {
          %none = stencil.store_result : !stencil.result<f32>
          scf.yield %none : !stencil.result<f32>
        }
        stencil.return %res : !stencil.result<f32>
      }
      stencil.store %section to %snapshots(#sections) : !t4 to !snapshots
      // The energy of the grid: of motion and of strain, times h^2 and without a factor of 1/2.
      %density = stencil.apply(%u = %tafter : !t3, %p = %tbefore : !t3, %c = %tk : !t3) -> (!t3) attributes {stencil.name = "energy", stencil.schedule = #stencil.schedule<>} {
        %u0 = stencil.access %u[0, 0, 0] : !t3
        %p0 = stencil.access %p[0, 0, 0] : !t3
        %uz = stencil.access %u[1, 0, 0] : !t3
        %uy = stencil.access %u[0, 1, 0] : !t3
        %ux = stencil.access %u[0, 0, 1] : !t3
        %c0 = stencil.access %c[0, 0, 0] : !t3
        %d = arith.subf %u0, %p0 : f32
        %dz = arith.subf %uz, %u0 : f32
        %dy = arith.subf %uy, %u0 : f32
        %dx = arith.subf %ux, %u0 : f32
        %dd = arith.mulf %d, %d : f32
        %motion = arith.divf %dd, %c0 : f32
        %zz = arith.mulf %dz, %dz : f32
        %yy = arith.mulf %dy, %dy : f32
        %xx = arith.mulf %dx, %dx : f32
        %s0 = arith.addf %motion, %zz : f32
        %s1 = arith.addf %s0, %yy : f32
        %res = arith.addf %s1, %xx : f32
        stencil.return %res : f32
      }
      %energy = stencil.fold %density(#grid) sum : !t3
      %entry = stencil.apply(%s = %moment : index, %v = %energy : f32) -> (!t1) attributes {stencil.schedule = #stencil.schedule<>} {
        %t = stencil.index 0 <[0]>
        %isNow = arith.cmpi eq, %t, %s : index
        %res = scf.if %isNow -> (!stencil.result<f32>) {
          %kept = stencil.store_result %v : !stencil.result<f32>
          scf.yield %kept : !stencil.result<f32>
        } else {
          %none = stencil.store_result : !stencil.result<f32>
          scf.yield %none : !stencil.result<f32>
        }
        stencil.return %res : !stencil.result<f32>
      }
      stencil.store %entry to %energies(#moments) : !t1 to !energies
    }
    scf.yield %now, %old : !wave, !wave
  }
  %last = stencil.load %r#1 : !wave -> !t3
  %copy = stencil.apply(%u = %last : !t3) -> (!t3) attributes {stencil.name = "final", stencil.schedule = #stencil.schedule<>} {
    %v = stencil.access %u[0, 0, 0] : !t3
    stencil.return %v : f32
  }
  stencil.store %copy to %final(#final) : !t3 to !final
  return
}
