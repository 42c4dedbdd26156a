#!/bin/sh
# donecheck as the hooks of Claude Code: `claude-code.sh DONECHECK`, with the event on standard input. The first event installs it.
input=$(cat)
event=$(printf '%s' "$input" | sed -n 's/.*"hook_event_name":"\([A-Za-z]*\)".*/\1/p')
export HOME="$SCRATCH" CLAUDE_CONFIG_DIR="$SCRATCH/claude"
[ "$event" != SessionStart ] || $1 install claude-code --until "$CHECK" --verify-timeout "$CHECK_SECONDS" --yes >&2
if [ "$2" = confirm ]; then $1 list --json | grep -q '"outcome":"verified"'; else printf "%s" "$input" | $1 hook claude-code "$event"; fi
