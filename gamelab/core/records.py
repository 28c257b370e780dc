"""Records and room on the stack: what hot loops work on instead of memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_builtin, overload, type_callable
from numba.np.arrayobj import populate_array

__all__ = ["copy_to", "on_stack", "scratch"]

BYTE, LENGTH = ir.IntType(8), ir.IntType(64)
ALIGNMENT = 16


def on_stack(record: Any) -> Any:
    """A copy of a record that lives until the calling kernel returns.

    The compiler knows all uses of it, and that nothing else points there, so it keeps fields in registers.
    """
    return record.copy()


def copy_to(target: Any, source: Any) -> None:
    """Overwrite a record by another of the same dtype. Modified in place."""
    for name in source.dtype.names:
        target[name] = source[name]


def scratch(size: int) -> Any:
    """Room for float64 numbers, not set to anything, that lives until the calling kernel returns. It must not be returned.

    For rules that need room which their callers do not bring: they make no arrays. `size` is a constant, a few thousand.
    """
    return np.empty(size)


@intrinsic
def _on_stack(typingctx: Any, record: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot = cgutils.alloca_once(builder, ir.ArrayType(BYTE, record.size))
        slot.align = ALIGNMENT
        copy = builder.bitcast(slot, args[0].type)
        cgutils.raw_memcpy(builder, copy, args[0], LENGTH(1), LENGTH(record.size))
        return copy

    return record(record), codegen


@intrinsic
def _copy_to(typingctx: Any, target: Any, source: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], LENGTH(1), LENGTH(source.size))
        return context.get_dummy_value()

    return types.void(target, source), codegen


@overload(on_stack, inline="always")
def _choose_on_stack(record):  # type: ignore[no-untyped-def]
    return lambda record: _on_stack(record)  # type: ignore[call-arg]


@overload(copy_to, inline="always")
def _choose_copy_to(target, source):  # type: ignore[no-untyped-def]
    return lambda target, source: _copy_to(target, source)  # type: ignore[call-arg]


# Not an overload: where references are not counted, numba lets no function return an array that it was not given.


@type_callable(scratch)
def _type_scratch(context: Any) -> Any:
    def typer(size: Any) -> Any:
        return types.Array(types.float64, 1, "C") if isinstance(size, types.IntegerLiteral) else None

    return typer


@lower_builtin(scratch, types.IntegerLiteral)
def _lower_scratch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    length = LENGTH(signature.args[0].literal_value)
    slot = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), length.constant))
    slot.align = ALIGNMENT
    array = context.make_array(signature.return_type)(context, builder)
    data = builder.bitcast(slot, array.data.type)
    populate_array(array, data=data, shape=[length], strides=[LENGTH(8)], itemsize=LENGTH(8), meminfo=None)
    return array._getvalue()
