/** A program that ended with an error before it had told anything. No further turn can mend that. */
import { oneLine } from '../../display-text.ts'
import type { DriveFailure } from '../../events/index.ts'
import type { LinesEnd } from './json-lines.ts'

/** What is wrong with the words stands first, and a page of help after it. */
const shownStart = 300

/** Undefined: it has begun, or was killed; then the turn counts. */
export function notBegun(name: string, end: LinesEnd, hasBegun: boolean): DriveFailure | undefined {
  if (hasBegun || end.kind !== 'exited' || end.exitCode === 0) return undefined
  const said = oneLine(withoutColours(end.stderrTail), shownStart)
  const asks = 'are the words after its name right, and its settings?'
  const message = `${name} did not begin (exit code ${end.exitCode}): ${asks}${said === '' ? '' : ` It said: ${said}`}`
  return { kind: 'configuration', message, retryable: false }
}

/** As a program prints on a terminal. */
export function withoutColours(text: string): string {
  // eslint-disable-next-line no-control-regex -- colours are control characters
  return text.replaceAll(/\u001B\[[\d;]*m/g, '')
}
