# jq
.locations[] | select(.accuracy | numbers <= 100) | {
  at: (.timestampMs | "000" + . | "\(.[:-3] | tonumber | todate[:-1]).\(.[-3:])Z"),
  lat: (.latitudeE7 / 1e7),
  lon: (.longitudeE7 / 1e7)
}
