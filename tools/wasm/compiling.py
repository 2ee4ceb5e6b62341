"""From Numba functions to a relocatable WebAssembly object, with the LLVM that Numba brings.

Numba writes each function as LLVM's intermediate language, before anything is chosen for the processor at hand. What it
writes while a function is compiled is recorded here, together with all that the function calls; then the same text is
compiled for ``wasm32``. Calls of exp, log and powers are led to `notebook_sne.engine.portable.elementary`, counted
references to ``memory.ll``.

This stands on private parts of Numba, so the versions are named in the module that is made.
"""

import re
from pathlib import Path

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.core import codegen

__all__ = ["compiled_object"]

_TRIPLE = "wasm32-unknown-unknown"
# Of all that browsers know since 2023; nothing whose bits a browser may choose.
_FEATURES = "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"
_OPTIONS = {"fastmath": {"reassoc", "contract", "nsz", "arcp", "afn"}, "error_model": "numpy"}

_POINTER, _INT = ir.PointerType(), ir.IntType(32)
_MACHINE = {types.float64: ir.DoubleType(), types.int32: _INT, types.boolean: ir.IntType(8)}


class _Recorder:
    """Keep what Numba's front end writes, library by library, while it compiles."""

    def __init__(self):
        self.texts = {}

    def __enter__(self):
        self.before = add = codegen.CPUCodeLibrary.add_ir_module

        def add_ir_module(library, module):
            self.texts.setdefault(id(library), (library, []))[1].append(str(module))
            return add(library, module)

        codegen.CPUCodeLibrary.add_ir_module = add_ir_module
        return self

    def __exit__(self, *_):
        codegen.CPUCodeLibrary.add_ir_module = self.before

    def all_of(self, library, seen):
        """Yield the texts of a library and of all that it links, but for those of the libraries `seen`."""
        if id(library) in seen:
            return
        seen.add(id(library))
        if id(library) not in self.texts and not library._linking_libraries:
            raise RuntimeError(f"{library.name} was not compiled here, but found on disk; empty NUMBA_CACHE_DIR")
        yield from self.texts.get(id(library), (library, []))[1]
        for other in library._linking_libraries:
            yield from self.all_of(other, seen)


def _machine_type(kind):
    return _POINTER if isinstance(kind, types.CPointer) else _MACHINE[kind]


def _wrapper(name, mangled, signature):
    """Return the text of a function with plain arguments that calls a compiled one as Numba does."""
    module, void = ir.Module(), signature.return_type == types.void
    result = _POINTER if void else _machine_type(signature.return_type)
    kinds = [_machine_type(kind) for kind in signature.args]
    inner = ir.Function(module, ir.FunctionType(_INT, [_POINTER, _POINTER, *kinds]), mangled)
    outer = ir.Function(module, ir.FunctionType(ir.VoidType() if void else result, kinds), name)
    builder = ir.IRBuilder(outer.append_basic_block())
    place, trouble = builder.alloca(result), builder.alloca(_POINTER)
    status = builder.call(inner, [place, trouble, *outer.args])
    with builder.if_then(builder.icmp_unsigned("!=", status, _INT(0)), likely=False):
        builder.call(ir.Function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
        builder.unreachable()
    if void:
        builder.ret_void()
    else:
        builder.ret(builder.load(place, typ=result))
    return str(module)


def _plain(text, libraries):
    """Return the text for any processor, its calls of exp and the like led to ours, without what errors would say."""
    text = re.sub(r"^target (datalayout|triple).*$", "", text, flags=re.M)
    for theirs, ours in libraries.items():
        text = re.sub(rf'@"?{re.escape(theirs)}"?(?=\()', f"@{ours}", text)
    # What an error would say names files of this machine, and in a page nobody reads it: there it is a trap.
    text = re.sub(r"^.*!numba_exception_output.*$", "", text, flags=re.M)
    text = re.sub(r'^define external (.*@"__excinfo_unwrap_args)', r"define linkonce_odr \1", text, flags=re.M)
    return text


def compiled_object(exports, libraries, heap):
    """Return the bytes of an object that has these functions.

    Exports are {name: (function, signature)}, pure Python functions and Numba signatures; `libraries` are {name: (ours,
    function, signature)} of functions to be called instead of LLVM's, such as ``llvm.exp.f64``; arrays begin at `heap`.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(_TRIPLE)
    machine = target.create_target_machine(
        cpu="generic", features=_FEATURES, opt=3, reloc="static", codemodel="default"
    )
    head = f'target triple = "{_TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    instead = {theirs: ours for theirs, (ours, *_) in libraries.items()}
    wanted = {**exports, **{ours: rest for ours, *rest in libraries.values()}}
    memory = (Path(__file__).parent / "memory.ll").read_text().replace("HEAP", str(heap))
    whole, seen = llvm.parse_assembly(head + memory), set()
    with _Recorder() as recorder:
        for name, (function, signature) in wanted.items():
            kernel = numba.njit(**_OPTIONS)(getattr(function, "py_func", function))
            kernel.compile(signature)
            made = kernel.overloads[signature.args]
            texts = [*recorder.all_of(made.library, seen), _wrapper(name, made.fndesc.llvm_func_name, signature)]
            for text in texts:
                if re.search(r'^define .*@"?NRT_MemInfo_data_fast', text, re.M):
                    continue  # Numba's own run time, for which memory.ll stands
                piece = llvm.parse_assembly(head + _plain(text, {} if name in instead.values() else instead))
                piece.verify()
                whole.link_in(piece)
    public = {*exports, "allocate", "release", "__multi3"}  # the last is called from the last step on only
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    for function in whole.functions:
        if not function.is_declaration and function.name not in public:
            function.linkage = "internal"
    tuning = llvm.PipelineTuningOptions(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    whole.verify()
    return machine.emit_object(whole)
