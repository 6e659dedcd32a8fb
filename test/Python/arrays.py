"""What a compiled function takes: arrays where they are, numbers, streams; and what it refuses, with the reason."""

import array
import ctypes
import inspect
import sys
import threading
import time
import unittest

import numpy as np
import stencil
from stencil import native

TEXT = """
!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @smooth(%u: !stencil.field<?x?xf64>, %v: !stencil.field<?x?xf64>, %a: f64, %n: i8) -> (f64, i8) {
  %x = stencil.cast %u : !stencil.field<?x?xf64> -> !field
  %y = stencil.cast %v : !stencil.field<?x?xf64> -> !field
  %t = stencil.load %x : !field -> !temp
  %r = stencil.apply(%i = %t : !temp, %w = %a : f64) -> (!temp) {
    %l = stencil.access %i[0, -1] : !temp
    %h = stencil.access %i[1, 0] : !temp
    %s = arith.addf %l, %h : f64
    %p = arith.mulf %w, %s : f64
    stencil.return %p : f64
  }
  stencil.store %r to %y(<[0, 0], [?, ?]>) : !temp to !field
  %m = stencil.fold %r(<[0, 0], [?, ?]>) max : !temp
  return %m, %n : f64, i8
}
"""
RANDOM = np.random.default_rng(3)


def smooth(u, a):
    return a * (u[1:-1, :-2] + u[2:, 1:-1])


def to_emulator(values):
    """A copy in the memory of the emulated device, which the host can look at, too."""
    address = native.load().copy_to_emulator(values.ctypes.data, values.nbytes)
    return np.frombuffer((ctypes.c_char * values.nbytes).from_address(address), values.dtype).reshape(values.shape)


class OnDevice:
    """An array that says it is on the device, as CuPy's do."""

    def __init__(self, values, stream=None, strides=None, readonly=False, mask=None):
        self.values = values
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": values.dtype.str, "strides": strides, "version": 3,
                                         "data": (values.ctypes.data, readonly), "stream": stream, "mask": mask}


class Stream:
    """The default stream, as one of the libraries has it."""

    def __init__(self, attribute):
        setattr(self, attribute, 1 if attribute != "__cuda_stream__" else lambda: (0, 1))


class ByDLPack:
    """An array that only has DLPack."""

    def __init__(self, values, device=1):
        self.values, self.device, self.streams = values, device, []

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.values.__dlpack__()


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.f = staticmethod(stencil.compile(TEXT, math="strict", cache=False))

    def setUp(self):
        self.u, self.v = RANDOM.random((5, 7)), np.zeros((5, 7))

    def check(self, *args, f=None, **kwargs):
        result = (f or self.f)(*args, **kwargs)
        np.testing.assert_array_equal(self.v[1:-1, 1:-1], smooth(self.u, 0.5))
        self.assertEqual(result, (smooth(self.u, 0.5).max(), 7))

    def refuse(self, kind, text, *args, f=None, **kwargs):
        before = self.v.copy()
        with self.assertRaisesRegex(kind, text):
            (f or self.f)(*args, **kwargs)
        np.testing.assert_array_equal(self.v, before)

    def test_signature(self):
        f = self.f
        self.assertEqual([(p.name, p.is_array, p.dtype, p.shape, p.is_read, p.is_written) for p in f.parameters],
                         [("u", True, "f64", (None, None), True, False), ("v", True, "f64", (None, None), False, True),
                          ("a", False, "f64", None, False, False), ("n", False, "i8", None, False, False)])
        self.assertEqual((f.name, f.results), ("smooth", ("f64", "i8")))
        self.assertEqual(list(inspect.signature(f).parameters), ["u", "v", "a", "n", "stream"])
        self.assertEqual(f.__doc__, "smooth(u: ?x?xf64 (read), v: ?x?xf64 (written), a: f64, n: i8) -> f64, i8")

    def test_arguments_by_position_and_by_name(self):
        u, v = self.u, self.v
        self.check(u, v, 0.5, 7)
        self.check(u, n=7, a=np.float32(0.5), v=v, stream=None)
        self.check(u, v, np.array(0.5), np.uint8(7))
        self.refuse(TypeError, r"expected 4 arguments for smooth\(u, v, a, n\), got 5", u, v, 0.5, 7, 8)
        self.refuse(TypeError, "expected argument 3 'n' of smooth.*missing", u, v, 0.5)
        self.refuse(TypeError, "an argument of smooth.* or stream, got 'w'", u, v, 0.5, 7, w=1)
        self.refuse(TypeError, "argument 0 'u' of .* once", u, v, 0.5, 7, u=u)

    def test_numbers(self):
        u, v = self.u, self.v
        self.assertEqual(self.f(u, v, 1, -128)[1], -128)
        self.assertEqual(self.f(u, v, 1, 255)[1], -1)
        for wrong in (256, -129, 2**70):
            self.refuse(ValueError, "argument 3 'n': expected an integer of i8, got", u, v, 0.5, wrong)
        self.refuse(TypeError, "argument 3 'n': expected an integer, got float", u, v, 0.5, 7.0)
        for wrong in ("1", None, 1j, [1.0]):
            self.refuse(TypeError, "argument 2 'a': expected a number, got", u, v, wrong, 7)

    def test_arrays_of_the_host(self):
        u, v = self.u, self.v
        self.check(memoryview(u), v, 0.5, 7)
        self.check(ByDLPack(u), ByDLPack(v), 0.5, 7)
        # What is only read may be read-only; distances along an axis of one point do not matter.
        u.flags.writeable = False
        self.check(u, v, 0.5, 7)
        big = RANDOM.random((6, 7))
        self.u = big[:5]
        self.check(self.u, v, 0.5, 7)
        plain = array.array("d", range(30))
        f = stencil.compile(sum_of_two(), math="strict", cache=False)
        out = np.zeros(29)
        f(plain, out)
        np.testing.assert_array_equal(out, 2.0 * np.arange(29) + 1)

    def test_arrays_that_are_refused(self):
        u, v = self.u, self.v
        f4 = u.astype("f4")
        self.refuse(TypeError, "argument 0 'u': expected an array of f64, got one of f32", f4, v, 0.5, 7)
        self.refuse(TypeError, "argument 0 'u': .* byte order", u.astype(">f8"), v, 0.5, 7)
        self.refuse(TypeError, "argument 0 'u': .*floats or integers.*", u.astype("c16"), v, 0.5, 7)
        self.refuse(TypeError, "argument 0 'u': expected an array, got list", [[1.0]], v, 0.5, 7)
        self.refuse(TypeError, "argument 1 'v': expected an array, got NoneType", u, None, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected an array with 2 axes, got 1", u[0], v, 0.5, 7)
        self.refuse(ValueError, "argument 1 'v': expected 5 points", u, RANDOM.random((6, 7)), 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected an extent of more than 2", RANDOM.random((2, 7)), v, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected row-major .*strides", np.asfortranarray(u), v, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected row-major", RANDOM.random((5, 14))[:, ::2], v, 0.5, 7)
        self.refuse(ValueError, "argument 1 'v': .*overlap.* 'u'", u, u, 0.5, 7)
        self.refuse(ValueError, "overlap", v[:-1], v[1:], 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected an array without a mask", np.ma.masked_array(u), v, 0.5, 7)
        odd = np.frombuffer(bytearray(5 * 7 * 8 + 1), "f8", 35, 1).reshape(5, 7)
        self.refuse(ValueError, "argument 0 'u': expected elements at multiples", odd, v, 0.5, 7)
        v.flags.writeable = False
        self.refuse(ValueError, "argument 1 'v': .*read-only", u, v, 0.5, 7)
        odd = OnDevice(u)
        odd.__cuda_array_interface__["data"] = ("here", False)
        self.refuse(TypeError, "argument 0 'u': .*the types of its protocol", odd, v, 0.5, 7)
        del odd.__cuda_array_interface__["shape"]
        odd.__cuda_array_interface__["data"] = (0, False)
        self.refuse(ValueError, "argument 0 'u': expected 'shape'", odd, v, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': .*device type 7", ByDLPack(u, 7), v, 0.5, 7)
        for wrong in ("fast", 1.5, True):
            self.refuse(TypeError, "expected a stream", u, v, 0.5, 7, stream=wrong)

    def test_arrays_of_the_device_for_a_function_of_the_host(self):
        u, v = self.u, self.v
        text = "argument 0 'u': expected an array in the memory of the host, got one of the device"
        for wrong in (OnDevice(u), OnDevice(u, stream=7), ByDLPack(u, 2), ByDLPack(u, 10), ByDLPack(u, 13)):
            self.refuse(ValueError, text, wrong, v, 0.5, 7)
        self.refuse(TypeError, "argument 0 'u': expected an array of f64, got one of i1", OnDevice(u > 0), v, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected row-major", OnDevice(u, strides=(8, 40)), v, 0.5, 7)
        self.refuse(ValueError, "argument 0 'u': expected an array without a mask", OnDevice(u, mask=u), v, 0.5, 7)

    def test_streams_without_a_device(self):
        f = stencil.compile(TEXT, target="emulator", math="strict", cache=False)
        for stream in (None, 0, 1, 2, Stream("ptr"), Stream("cuda_stream"), Stream("__cuda_stream__")):
            self.check(self.u, self.v, 0.5, 7, f=f, stream=stream)
        self.refuse(stencil.Error, "default streams, 0, 1 or 2, for the emulator, got 5", self.u, self.v, 0.5, 7, f=f, stream=5)
        self.refuse(stencil.Error, "no stream for a program for the CPU", self.u, self.v, 0.5, 7, stream=5)
        for wrong in (-1, 2**64):
            self.refuse(ValueError, "a stream's handle, got", self.u, self.v, 0.5, 7, f=f, stream=wrong)

    def test_both_kinds_of_arrays(self):
        """On a GPU, what a call brings decides which variant is compiled, once."""
        compiled = []

        class Handle:
            name, parameters, results = "f", (), ()

            def __init__(self, on_device):
                compiled.append(on_device)
                self.on_device, self.released = on_device, False

            def __call__(self, *args, **kwargs):
                return self.on_device

            def release(self):
                self.released = True

        f = stencil.Function(Handle, None)
        for _ in range(2):
            self.assertFalse(f(self.u, v=self.v))
            self.assertTrue(f(OnDevice(self.u), v=ByDLPack(self.v, 2)))
        self.assertEqual(compiled, [True, False])
        f.release()
        self.assertTrue(all(handle.released for handle in f._handles.values()))

    def test_arrays_of_the_device(self):
        f = stencil.compile(TEXT, target="emulator", math="strict", device_arrays=True, cache=False)
        with self.assertRaisesRegex(stencil.Error, "argument 0: expected device memory, got host memory"):
            f(OnDevice(self.u), OnDevice(self.v), 0.5, 7)
        self.u, self.v = to_emulator(self.u), to_emulator(self.v)
        u, v = OnDevice(self.u), OnDevice(self.v)
        self.check(u, v, 0.5, 7, f=f)
        self.check(OnDevice(self.u, stream=1), OnDevice(self.v, stream=2), 0.5, 7, f=f, stream=1)
        by_dlpack = ByDLPack(self.u, 2)
        self.check(by_dlpack, ByDLPack(self.v, 2), 0.5, 7, f=f, stream=2)
        self.check(by_dlpack, v, 0.5, 7, f=f)
        # The producer is told which stream waits; 1 is the default one of CUDA.
        self.assertEqual(by_dlpack.streams, [2, 1])
        self.refuse(ValueError, "argument 0 'u': .*memory of the device.*host", self.u, v, 0.5, 7, f=f)
        self.refuse(ValueError, "argument 0 'u': .*memory of the host.*device", u, self.v, 0.5, 7)
        self.refuse(ValueError, "argument 1 'v': .*read-only", u, OnDevice(self.v, readonly=True), 0.5, 7, f=f)
        self.refuse(ValueError, "without a mask", OnDevice(self.u, mask=u), v, 0.5, 7, f=f)
        self.refuse(ValueError, "whole elements, got 12 bytes", OnDevice(self.u, strides=(56, 12)), v, 0.5, 7, f=f)
        self.refuse(ValueError, "row-major", OnDevice(self.u, strides=(8, 40)), v, 0.5, 7, f=f)
        self.refuse(ValueError, "as many strides", OnDevice(self.u, strides=(8,)), v, 0.5, 7, f=f)
        self.refuse(ValueError, "as 'stream' .* got 0", OnDevice(self.u, stream=0), v, 0.5, 7, f=f)

    def test_released(self):
        with stencil.compile(TEXT, cache=False) as f:
            f(self.u, self.v, 0.5, 7)
        self.assertTrue(f.released)
        with self.assertRaisesRegex(stencil.Error, "the function has been released"):
            f(self.u, self.v, 0.5, 7)

    def test_errors_of_a_run(self):
        f = stencil.compile("""func.func @divide(%f: !stencil.field<[0,4]xi32>, %d: i32) -> i32 {
          %one = arith.constant 1 : i32
          %q = arith.divsi %one, %d : i32
          return %q : i32
        }""", cache=False)
        self.assertEqual(f(np.zeros(4, "i4"), -1), -1)
        with self.assertRaisesRegex(stencil.Error, "<text>:3:.*division"):
            f(np.zeros(4, "i4"), 0)
        self.assertEqual(f(np.zeros(4, "i4"), 1), 1)

    def test_threads_share_a_function(self):
        """Compiling, too, is done by several at once."""
        functions = []
        workers = [threading.Thread(target=lambda: functions.append(stencil.compile(repeated(), cache=False, threads=1)))
                   for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(functions), 4)
        many = functions[0]
        arrays = [np.zeros((20, 20)) for _ in range(4)]
        workers = [threading.Thread(target=many, args=(u, 2000)) for u in arrays]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for u in arrays:
            self.assertEqual((u.min(), u.max()), (2000.0, 2000.0))

    def test_other_threads_go_on(self):
        """Python's lock is released: without that, nobody counts between the two lines around the call."""
        many = stencil.compile(repeated(), cache=False, threads=1)
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        counter = threading.Thread(target=count)
        counter.start()
        try:
            for steps in (1 << n for n in range(10, 24)):
                before = counted[0]
                many(self.u, steps)
                if counted[0] > before:
                    break
            else:
                self.fail("nobody else ran while a function did")
        finally:
            sys.setswitchinterval(interval)
            done.set()
            counter.join()


def sum_of_two():
    (i,) = stencil.indices(1)
    u, v = stencil.Grid("u", 1), stencil.Grid("v", 1)
    v[i] = u[i] + u[i + 1]
    return stencil.sweep(v)


def repeated():
    @stencil.program
    def count(u: stencil.Field(2), n: stencil.index):
        i, j = stencil.indices(2)
        for _ in stencil.time_loop(n):
            u[i, j] = u[i, j] + 1.0

    return count


if __name__ == "__main__":
    unittest.main()
