# jq
{
  kernel: .metadata.kernelspec.name,
  cells: (.cells | length),
  code: [.cells[] | select(.cell_type == "code")] | length,
  run: [.cells[] | select(.execution_count)] | length,
  errors: [.cells[].outputs[]? | select(.output_type == "error")] | length,
  sources: [.cells[].source | if type == "array" then add else . end]
}
