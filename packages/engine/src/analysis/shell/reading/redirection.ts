import type { Redirect } from 'unbash'
import { addRead, addWrite } from '../reading-state.ts'
import { spanOf, type ReadingContext } from '../reading-context.ts'
import { literalText } from '../words/word.ts'

/** A file that is opened for reading or writing; a connection, which is written as a file, too. */
export function readRedirection({ operator, target }: Redirect, place: ReadingContext): void {
  if (target === undefined) return
  const path = literalText(target)
  if (path?.startsWith('/dev/tcp/') === true || path?.startsWith('/dev/udp/') === true) {
    addWrite(path, spanOf(target, place), place)
    return
  }
  if (operator === '<' || operator === '<>')
    addRead({ path, written: target.text, span: spanOf(target, place) }, place)
  if (operator === '<' || operator === '<&') return
  // `2>&1`, `>&-`: no file.
  if (operator === '>&' && path !== null && /^(\d+-?|-)$/.test(path)) return
  if (target.parts?.every(({ type }) => type === 'ProcessSubstitution') === true) return
  addWrite(path, spanOf(target, place), place)
}
