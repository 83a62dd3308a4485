"""Parameters of papermill for Go notebooks: papermill imports this module through its entry point for engines."""

import json
import math
import re

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.translators import Translator, papermill_translators

IDENTIFIER = re.compile(r"[^\W\d]\w*")


class GoTranslator(Translator):
    """Writes parameters as Go variables, which replace those of the notebook's cell of parameters."""

    @classmethod
    def translate_none(cls, val):
        raise PapermillException("a parameter for Go is null, which has no type: give it a value, or leave it out")

    @classmethod
    def translate_str(cls, val):
        # Go's compiler refuses a byte order mark within a source.
        return json.dumps(val, ensure_ascii=False).replace("\ufeff", "\\ufeff")

    @classmethod
    def translate_escaped_str(cls, val):
        return cls.translate_str(str(val))

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "math.NaN()"
        if math.isinf(val):
            return f"math.Inf({1 if val > 0 else -1})"
        return repr(val)

    @classmethod
    def translate_list(cls, val):
        return f"[]{cls.common(val)}{{{', '.join(map(cls.translate, val))}}}"

    @classmethod
    def translate_dict(cls, val):
        pairs = ", ".join(f"{cls.translate_str(str(k))}: {cls.translate(v)}" for k, v in val.items())
        return f"map[string]{cls.common(val.values())}{{{pairs}}}"

    @classmethod
    def common(cls, values):
        """Return the Go type of all values: any if they have several, float64 for numbers with and without a point."""
        types = {cls.type_of(v) for v in values}
        if types == {"int", "float64"}:
            return "float64"
        return types.pop() if len(types) == 1 else "any"

    @classmethod
    def type_of(cls, val):
        if isinstance(val, list):
            return "[]" + cls.common(val)
        if isinstance(val, dict):
            return "map[string]" + cls.common(val.values())
        # bool comes before int, which it is a kind of.
        for kind, name in ((bool, "bool"), (int, "int"), (float, "float64")):
            if isinstance(val, kind):
                return name
        return "string"

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}"

    @classmethod
    def assign(cls, name, str_val):
        if not IDENTIFIER.fullmatch(name):
            raise PapermillException(f"the parameter {name!r} is not a name in Go: use letters, digits and underscores")
        return f"var {name} = {str_val}"

    @classmethod
    def inspect(cls, parameters_cell):
        # Types and defaults are for papermill --help-notebook only.
        return []


class Engine(NBClientEngine):
    """Papermill's own engine. Its entry point makes papermill import this module: there is none for languages."""


papermill_translators.register("go", GoTranslator)
