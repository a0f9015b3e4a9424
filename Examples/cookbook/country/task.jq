# jq --rawfile table country/countries.csv
($table / "\n" | map(. / "," | {"\(.[0])": .[1]}) | add) as $names | {name: .first, country: $names[.cc]}
