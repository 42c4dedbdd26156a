import type { ProcessCommand } from '../../process/index.ts'

/**
 * The program reads nothing. Beside it something waits for the end of the shell's own input: when whoever holds that is gone,
 * the whole group is told to end. The shell waits for both, and ends as the program does.
 */
const script = [
  'exec 3<&0 </dev/null',
  '"$@" 3<&- & program=$!',
  '(while read -r _ <&3; do :; done; kill -s TERM 0) >/dev/null 2>&1 & watch=$!',
  'exec 3<&-',
  'wait "$program"; status=$?',
  'kill "$watch"; wait "$watch" 2>/dev/null',
  'exit "$status"',
].join('\n')

/** A program that would go on by itself when this process is killed. To be started with its input kept open. */
export function diesWithUs(words: readonly string[]): ProcessCommand {
  return { shell: script, args: words }
}
