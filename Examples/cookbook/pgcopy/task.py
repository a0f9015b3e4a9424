from everyday import *

escapes = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
for record in lines():
    cells = [record.get(name) for name in ("service", "message", "user")]
    print("\t".join(r"\N" if cell is None else str(cell).translate(escapes) for cell in cells))
