/** What an agent says is kept within bounds: it may print as much as it likes. */
import type { JsonValue } from '@donecheck/core/events'
import { excerptOf, OutputCollector, showExcerpt } from '@donecheck/engine/process'

const headBytes = 20 * 1024
const tailBytes = 40 * 1024
/** For the line that says how much is left out: what was bounded already stays as it is. */
const lineBytes = 64
const maxArgumentsLength = 256 * 1024

/** Text in pieces, of which the two ends are kept. */
export class BoundedText {
  #collector: OutputCollector | undefined

  add(piece: string): void {
    if (piece === '') return
    this.#collector ??= new OutputCollector(headBytes, tailBytes)
    this.#collector.add(Buffer.from(piece))
  }

  show(): string {
    return this.#collector === undefined ? '' : showExcerpt(this.#collector.excerpt())
  }
}

export function boundText(text: string): string {
  const isShort = Buffer.byteLength(text) <= headBytes + tailBytes + lineBytes
  return isShort ? text : showExcerpt(excerptOf(text, headBytes, tailBytes))
}

/** Arguments that are too long to be kept are known again by their digest. */
export function boundArguments(args: JsonValue): JsonValue {
  const written = JSON.stringify(args)
  if (written.length <= maxArgumentsLength) return args
  const { totalBytes, digest } = excerptOf(written, 0, 0)
  return { leftOut: `${totalBytes} bytes of arguments`, sha256: digest }
}
