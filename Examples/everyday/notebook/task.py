from everyday import *

notebook = document()
cells = notebook["cells"]
put({
    "kernel": notebook["metadata"]["kernelspec"]["name"],
    "cells": len(cells),
    "code": sum(cell["cell_type"] == "code" for cell in cells),
    "run": sum(cell.get("execution_count") is not None for cell in cells),
    "errors": sum(
        output["output_type"] == "error" for cell in cells for output in cell.get("outputs", [])),
    "sources": ["".join(cell["source"]) for cell in cells],
})
