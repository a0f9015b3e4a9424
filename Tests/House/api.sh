#!/usr/bin/env bash
# What of the public API breaks against the last release (--since TAG: against that one).
# A release that may not break it (CONTRIBUTING.md, "Versions") is refused where there is something. Without a tag there is nothing to
# compare with: it says so, and ends with 0.
source "$(dirname "$0")/../../scripts/common.sh"
case "${1:-}" in
  "") baseline="$(git describe --tags --abbrev=0 --match '[0-9]*.[0-9]*.[0-9]*' 2>/dev/null || true)" ;;
  --since) baseline="${2:?--since needs a tag}" ;;
  *) mistake "unknown option $1" ;;
esac
if [ -z "$baseline" ]; then
  say "no release is tagged yet: the first tag is the first baseline"
  exit 0
fi
swift package diagnose-api-breaking-changes "$baseline" --products StreamMap StreamMapFiles StreamMapMacros
