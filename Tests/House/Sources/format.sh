#!/usr/bin/env bash
# The layout of Swift files is what `.swift-format` says; --fix lays them out.
source "$(dirname "$0")/../../../scripts/common.sh"
files=$(git ls-files --cached --others --exclude-standard '*.swift')
case "${1:-}" in
  "") xargs swift format lint --strict --parallel --configuration .swift-format <<<"$files" ;;
  --fix) xargs swift format format --in-place --parallel --configuration .swift-format <<<"$files" ;;
  *) mistake "unknown option $1" ;;
esac
