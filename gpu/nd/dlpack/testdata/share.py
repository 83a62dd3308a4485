# Shares arrays with a library by DLPack: share.py LIBRARY DEVICE-TYPE MODULE…
import ctypes
import importlib
import sys

library = ctypes.CDLL(sys.argv[1])
library.export_matrix.restype = ctypes.c_void_p
library.matrix_sum.restype = ctypes.c_double
library.receive.restype = ctypes.c_double
library.receive.argtypes = [ctypes.c_void_p]
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
used = b"used_dltensor_versioned"  # kept, as the capsule does not copy it


class Producer:
    def __dlpack__(self, **options):
        tensor = library.export_matrix()
        assert tensor, "not exported"
        return api.PyCapsule_New(tensor, b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return int(sys.argv[2]), 0


def wait(module):
    if module.__name__ == "torch" and module.cuda.is_available():
        module.cuda.synchronize()
    if module.__name__ == "cupy":
        module.cuda.get_current_stream().synchronize()


for name in sys.argv[3:]:
    module = importlib.import_module(name)
    x = module.from_dlpack(Producer())
    assert tuple(x.shape) == (4, 3), x.shape
    assert [float(v) for v in x[1]] == [1, 5, 9], x
    x *= 10
    wait(module)
    assert library.matrix_sum() == 660, library.matrix_sum()
    del x

    y = module.ones((5, 7), dtype=module.float32)
    if name == "torch" and sys.argv[2] == "2":
        y = y.cuda()
    y[2] = 3
    wait(module)
    capsule = y.__dlpack__(max_version=(1, 1))
    tensor = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
    api.PyCapsule_SetName(capsule, used)
    total = library.receive(tensor)
    assert total == 28 + 21, total
    print(name, module.__version__, "shares")

if "torch" in sys.argv and sys.argv[2] == "2":
    # A fault in this process spoils it for PyTorch, and not the arrays of the device process.
    import torch

    x = torch.from_dlpack(Producer())
    try:
        torch.arange(4, device="cuda")[torch.tensor([1 << 40], device="cuda")]
        torch.cuda.synchronize()
        raise SystemExit("no fault")
    except Exception as e:
        print("fault:", str(e).splitlines()[0])
    assert library.matrix_sum() == 66, library.matrix_sum()
    print("arrays are as they were")
