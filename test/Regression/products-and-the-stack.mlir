// Each matrix instruction had memory of its own in the frame of an emulated thread: 2048 of them reached over the page
// below its stack, into that of another thread.
// RUN: stencil-run %s --target emulator --chip sm_80 --math reassociate --schedule '#stencil.schedule<window = shared, engine = mma, stream = 0, block = [1, 32], points = [1, 64]>' --arg 0=random:1 --arg 1=zeros --verify

!field = !stencil.field<[0,11]x[0,224]xf64>
!out = !stencil.field<[0,4]x[0,200]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @planes(%f: !field, %g: !out) {
  %t = stencil.load %f : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %s = stencil.weighted_sum %x offsets [
      [0, 0], [0, 8], [0, 16], [0, 24], [1, 0], [1, 8], [1, 16], [1, 24],
      [2, 0], [2, 8], [2, 16], [2, 24], [3, 0], [3, 8], [3, 16], [3, 24],
      [4, 0], [4, 8], [4, 16], [4, 24], [5, 0], [5, 8], [5, 16], [5, 24],
      [6, 0], [6, 8], [6, 16], [6, 24], [7, 0], [7, 8], [7, 16], [7, 24]]
      weights dense<[
        1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0,
        17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]> : tensor<32xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0, 0], [4, 200]>) : !temp to !out
  return
}
