// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// Layouts, rings and cursors.
// expected-error@+1 {{expected 1 to 64 axes, got 1000000000000}}
func.func private @layout_hugerank() attributes {x = #tile.layout<rank = 1000000000000, registers = [], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected 1 to 64 axes, got -1}}
func.func private @layout_neg() attributes {x = #tile.layout<rank = -1, registers = [], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected a count from 1 to 4096 and a positive stride, got 9223372036854775807 by 1}}
func.func private @layout_digit() attributes {x = #tile.layout<rank = 1, registers = [0: 9223372036854775807 by 1], threads = [0: 32 by 9223372036854775807]>}

// -----

// expected-error@+1 {{expected at most 16777216 points}}
func.func private @layout_many() attributes {x = #tile.layout<rank = 1, registers = [0: 2 by 1, 0: 2 by 2, 0: 2 by 4, 0: 2 by 8, 0: 2 by 16, 0: 2 by 32, 0: 2 by 64, 0: 2 by 128, 0: 2 by 256, 0: 2 by 512, 0: 2 by 1024, 0: 2 by 2048, 0: 2 by 4096, 0: 2 by 8192, 0: 2 by 16384, 0: 2 by 32768, 0: 2 by 65536, 0: 2 by 131072, 0: 2 by 262144, 0: 2 by 524288, 0: 2 by 1048576, 0: 2 by 2097152, 0: 2 by 4194304], threads = [0: 2 by 8388608, 0: 2 by 16777216]>}

// -----

// expected-error@+1 {{expected each point along axis 0 to be held once: the stride of a digit is the product of the counts below it}}
func.func private @layout_hole() attributes {x = #tile.layout<rank = 1, registers = [0: 2 by 2], threads = [0: 32 by 4]>}

// -----

// expected-error@+1 {{expected a count from 1 to 4096 and a positive stride, got 0 by 1}}
func.func private @layout_zero() attributes {x = #tile.layout<rank = 1, registers = [0: 0 by 1], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected an axis from 0 to 0, got 1}}
func.func private @layout_axis() attributes {x = #tile.layout<rank = 1, registers = [1: 2 by 1], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected an axis from 0 to 0, got -1}}
func.func private @layout_axisneg() attributes {x = #tile.layout<rank = 1, registers = [-1: 2 by 1], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected 'rank'}}
func.func private @layout_norank() attributes {x = #tile.layout<registers = [], threads = []>}

// -----

// expected-error@+1 {{expected 'tile.layout' on a stencil.apply of a tile.kernel only}}
func.func private @layout_onfunc() attributes {tile.layout = #tile.layout<rank = 1, registers = [], threads = [0: 32 by 1]>}

// -----

// expected-error@+1 {{expected 'tile.layout' on a stencil.apply of a tile.kernel only}}
func.func private @layout_onfunc_str() attributes {tile.layout = "x"}

// -----

// expected-error@+1 {{unknown attribute 'tile.other', expected tile.layout}}
func.func private @tile_other() attributes {tile.other = 3}

// -----

// expected-error@+1 {{expected 1 to 1024 slots, got 0}}
func.func private @ring_zero() attributes {x = !tile.ring<0 x [0,1]xf64>}

// -----

// expected-error@+1 {{expected 1 to 1024 slots, got 9223372036854775807}}
func.func private @ring_hugeslots() attributes {x = !tile.ring<9223372036854775807 x [0,1]xf64>}

// -----

// expected-error@+1 {{bound out of range on axis 0}}
func.func private @ring_huge2() attributes {x = !tile.ring<1 x [-4611686018427387904,4611686018427387904]xf64>}

// -----

// expected-error@+1 {{expected integer value}}
func.func private @ring_sym() attributes {x = !tile.ring<1 x [0,?]xf64>}

// -----

// expected-error@+1 {{expected non-function type}}
func.func private @ring_q() attributes {x = !tile.ring<1 x ?xf64>}

// -----

// expected-error@+1 {{expected at least one axis}}
func.func private @ring_norank() attributes {x = !tile.ring<1 x f64>}

// -----

// expected-error@+1 {{expected the upper bound of axis 0 to be greater than the lower bound 0, got 0}}
func.func private @ring_empty() attributes {x = !tile.ring<1 x [0,0]xf64>}

// -----

// expected-error@+1 {{no asynchronous copy has elements of type 'index'}}
func.func private @ring_index() attributes {x = !tile.ring<1 x [0,4]xindex, fill = async>}

// -----

// expected-error@+1 {{expected integers or floats of at most 16 bytes as elements, got 'complex<f64>'}}
func.func private @ring_complex() attributes {x = !tile.ring<1 x [0,4]xcomplex<f64>>}

// -----

// expected-error@+1 {{expected integers or floats of at most 16 bytes as elements, got 'tf32'}}
func.func private @ring_tf32() attributes {x = !tile.ring<1 x [0,4]xtf32>}

// -----

// expected-error@+1 {{expected integers or floats of at most 16 bytes as elements, got 'i16777215'}}
func.func private @ring_i16777215() attributes {x = !tile.ring<1 x [0,4]xi16777215>}

// -----

// expected-error@+1 {{expected a pitch of at least the 4 elements of a row, got 3}}
func.func private @ring_pitch_small() attributes {x = !tile.ring<1 x [0,4]xf64, pitch = 3>}

// -----

// expected-error@+1 {{expected a slot of at most 1048576 elements}}
func.func private @ring_pitch_huge() attributes {x = !tile.ring<1 x [0,4]xf64, pitch = 9223372036854775807>}

// -----

// expected-error@+1 {{expected 'pitch' once}}
func.func private @ring_pitch_twice() attributes {x = !tile.ring<1 x [0,4]xf64, pitch = 4, pitch = 8>}

// -----

// expected-error@+1 {{expected 'gap' once}}
func.func private @ring_gap_twice() attributes {x = !tile.ring<1 x [0,4]xf64, segment = 2, gap = 4, gap = 4>}

// -----

// expected-error@+1 {{expected 'segment' and 'gap', or neither}}
func.func private @ring_gap_alone() attributes {x = !tile.ring<1 x [0,4]xf64, gap = 4>}

// -----

// expected-error@+1 {{expected 'segment' and 'gap', or neither}}
func.func private @ring_segment_alone() attributes {x = !tile.ring<1 x [0,4]xf64, segment = 4>}

// -----

// expected-error@+1 {{expected segments of 1 to 1048576 elements and gaps of at most 256, got 0 and 4}}
func.func private @ring_segment_empty() attributes {x = !tile.ring<1 x [0,4]xf64, segment = 0, gap = 4>}

// -----

// expected-error@+1 {{expected segments of 1 to 1048576 elements and gaps of at most 256, got 4 and 257}}
func.func private @ring_gap_long() attributes {x = !tile.ring<1 x [0,4]xf64, segment = 4, gap = 257>}

// -----

// expected-error@+1 {{expected segments of 1 to 1048576 elements and gaps of at most 256, got 4 and -1}}
func.func private @ring_gap_negative() attributes {x = !tile.ring<1 x [0,4]xf64, segment = 4, gap = -1>}

// -----

// Two gaps lie within the row, before the coordinates 0 and 4.
// expected-error@+1 {{expected a pitch of at least the 12 elements of a row, got 10}}
func.func private @ring_gap_pitch() attributes {x = !tile.ring<1 x [-2,6]xf64, segment = 4, gap = 2, pitch = 10>}

// -----

// expected-error@+1 {{expected a slot of at most 1048576 elements}}
func.func private @ring_gap_slot() attributes {x = !tile.ring<1 x [0,100000]xf64, segment = 1, gap = 16>}

// -----

// The copy engine brings whole segments.
// expected-error@+1 {{expected rows of whole segments for 'fill = tma', got [-2,8] in segments of 4}}
func.func private @ring_gap_tma_whole() attributes {x = !tile.ring<1 x [-2,8]xf64, segment = 4, gap = 2, fill = tma>}

// -----

// expected-error@+1 {{expected segments and gaps of multiples of 16 bytes for 'fill = tma', got 32 and 8}}
func.func private @ring_gap_tma_unit() attributes {x = !tile.ring<1 x [0,8]xf64, segment = 4, gap = 1, fill = tma>}

// -----

// expected-error@+1 {{expected at most 256 segments of a row for 'fill = tma', got 257}}
func.func private @ring_gap_tma_segments() attributes {x = !tile.ring<1 x [0,1028]xf64, segment = 4, gap = 2, fill = tma>}

// -----

// expected-error@+1 {{expected at most 256 elements of a segment and its gap for 'fill = tma', got 258}}
func.func private @ring_gap_tma_segment() attributes {x = !tile.ring<1 x [0,256]xf64, segment = 256, gap = 2, fill = tma>}

// -----

// expected-error@+1 {{expected at most 5 axes for 'fill = tma', got 6 with that of segments}}
func.func private @ring_gap_tma_rank() attributes {x = !tile.ring<1 x [0,1]x[0,1]x[0,1]x[0,1]x[0,8]xf64, segment = 4, gap = 2, fill = tma>}

// -----

// The gap behind the last segment is filled, too.
// expected-error@+1 {{expected rows without a gap for 'fill = tma': a pitch of 12, got 10}}
func.func private @ring_gap_tma_pitch() attributes {x = !tile.ring<1 x [0,8]xf64, segment = 4, gap = 2, pitch = 10, fill = tma>}

// -----

// expected-error@+1 {{expected rows without gaps for 'fill = stage'}}
func.func private @ring_gap_stage() attributes {x = !tile.ring<1 x [0,8]xf64, segment = 4, gap = 2, fill = stage>}

// -----

// expected-error@+1 {{expected one of [threads, delayed, async, tma, stage] for how planes get into a ring, got: other}}
func.func private @ring_fill_bad() attributes {x = !tile.ring<1 x [0,4]xf64, fill = other>}

// -----

// expected-error@+1 {{expected 'fill' once}}
func.func private @ring_fill_twice() attributes {x = !tile.ring<1 x [0,4]xf64, fill = async, fill = tma>}

// -----

// expected-error@+1 {{expected 'pitch', 'segment', 'gap', 'fill' or 'edges', got 'foo'}}
func.func private @ring_key() attributes {x = !tile.ring<1 x [0,4]xf64, foo = 3>}

// -----

// expected-error@+1 {{expected at most 5 axes for 'fill = tma', got 6}}
func.func private @ring_tma_rank() attributes {x = !tile.ring<1 x [0,1]x[0,1]x[0,1]x[0,1]x[0,1]x[0,4]xf64, fill = tma>}

// -----

// expected-error@+1 {{expected at most 256 points along axis 0 for 'fill = tma', got 512}}
func.func private @ring_tma_extent() attributes {x = !tile.ring<1 x [0,512]xf64, fill = tma>}

// -----

// expected-error@+1 {{expected rows of a multiple of 16 bytes for 'fill = tma', got 24}}
func.func private @ring_tma_row() attributes {x = !tile.ring<1 x [0,3]xf64, fill = tma>}

// -----

// expected-error@+1 {{expected rows without a gap for 'fill = tma': a pitch of 4, got 6}}
func.func private @ring_tma_pitch() attributes {x = !tile.ring<1 x [0,4]xf64, pitch = 6, fill = tma>}

// -----

// expected-error@+1 {{expected elements of a tensor map for 'fill = tma', floats and integers of 1 to 8 bytes, got 'i7'}}
func.func private @ring_tma_i7() attributes {x = !tile.ring<1 x [0,16]xi7, fill = tma>}

// -----

// expected-error@+1 {{expected a slot of at most 1048576 elements}}
func.func private @ring_rank20_2() attributes {x = !tile.ring<1 x [0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]x[0,2]xf64>}

// -----

// expected-error@+1 {{expected slots of together at most 16777216 bytes, got 8589934592}}
func.func private @ring_elems() attributes {x = !tile.ring<1024 x [0,1024]x[0,1024]xf64>}

// -----

// expected-error@+1 {{expected a box from -1048576 to 1048576 along axis 0, got #stencil.bounds<[1000000000000], [1000000000004]>}}
func.func private @ring_lbhuge2() attributes {x = !tile.ring<1 x [1000000000000,1000000000004]xf64>}

// -----

// expected-error@+1 {{expected 1 to 1024 slots, got 0}}
func.func private @cursor0() attributes {x = !tile.cursor<0>}

// -----

// expected-error@+1 {{expected 1 to 1024 slots, got 9223372036854775807}}
func.func private @cursorhuge() attributes {x = !tile.cursor<9223372036854775807>}

// -----

// expected-error@+2 {{integer value too large}}
// expected-error@+1 {{failed to parse Tile_CursorType parameter 'slots' which is to be a `int64_t`}}
func.func private @cursor_over() attributes {x = !tile.cursor<99999999999999999999>}
