#!/bin/sh
# donecheck as the hooks of Claude Code: `claude-code.sh NODE PROGRAM`, with the event on standard input; the first one installs it.
# With `confirm` behind: does it hold the work of the session for verified?
node=$1 program=$2
export HOME="$SCRATCH" CLAUDE_CONFIG_DIR="$SCRATCH/claude"
donecheck() { "$node" "$program" "$@"; }
if [ "$3" = confirm ]; then
  donecheck list --json | grep -q '"outcome":"verified"'
  exit
fi
input=$(cat)
event=$(printf '%s' "$input" | sed -n 's/.*"hook_event_name":"\([A-Za-z]*\)".*/\1/p')
[ "$event" != SessionStart ] || donecheck install claude-code --until "$CHECK" --verify-timeout "$CHECK_SECONDS" --yes >&2
printf '%s' "$input" | donecheck hook claude-code "$event"
