"""Records and room on the stack: what hot loops work on instead of memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable
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


# Not overloads: numba compiles an overload by itself before it puts it into the caller, and returns the record by value there,
# which takes seconds for large records; and where references are not counted, it lets no function return an array that it was
# not given.


@type_callable(on_stack)
def _type_on_stack(context: Any) -> Any:
    return lambda record: record if isinstance(record, types.Record) else None


@lower_builtin(on_stack, types.Record)
def _lower_on_stack(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    size = signature.return_type.size
    slot = cgutils.alloca_once(builder, ir.ArrayType(BYTE, size))
    slot.align = ALIGNMENT
    copy = builder.bitcast(slot, args[0].type)
    cgutils.raw_memcpy(builder, copy, args[0], LENGTH(1), LENGTH(size))
    return copy


@type_callable(copy_to)
def _type_copy_to(context: Any) -> Any:
    return lambda target, source: types.void if target == source and isinstance(source, types.Record) else None


@lower_builtin(copy_to, types.Record, types.Record)
def _lower_copy_to(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    cgutils.raw_memcpy(builder, args[0], args[1], LENGTH(1), LENGTH(signature.args[1].size))
    return context.get_dummy_value()


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
