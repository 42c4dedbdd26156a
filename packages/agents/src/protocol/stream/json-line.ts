import type { JsonValue } from '@donecheck/core/events'

export type JsonLine =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** No JSON, or longer than a line may be; then only its beginning. */
  | { readonly kind: 'noise'; readonly text: string }

/** A line that is longer is not looked at. Agents put whole files and pictures into one. */
const maxLineBytes = 16 * 1024 * 1024
/** Of noise, for people. */
const shownBytes = 200

const newline = 0x0a

/** Lines of JSON out of bytes as they come, in bounded memory. Empty lines say nothing. */
export class LineSplitter {
  readonly #longest: number
  #parts: Buffer[] = []
  #length = 0

  constructor(longest = maxLineBytes) {
    this.#longest = longest
  }

  *add(bytes: Buffer): Generator<JsonLine> {
    let rest = bytes
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      this.#keep(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      yield* this.end()
    }
    this.#keep(rest)
  }

  /** What stands after the last line break is a line as well. */
  *end(): Generator<JsonLine> {
    const text = Buffer.concat(this.#parts).toString()
    const isTooLong = this.#length > this.#longest
    this.#parts = []
    this.#length = 0
    if (isTooLong) yield { kind: 'noise', text: text.slice(0, shownBytes) }
    else if (text.trim() !== '') yield parseLine(text)
  }

  #keep(bytes: Buffer): void {
    const wasTooLong = this.#length > this.#longest
    this.#length += bytes.length
    if (wasTooLong || bytes.length === 0) return
    if (this.#length <= this.#longest) {
      this.#parts.push(bytes)
      return
    }
    // A copy: a part of a chunk would keep the whole of it.
    const beginning = Buffer.concat([...this.#parts, bytes]).subarray(0, shownBytes)
    this.#parts = [Buffer.from(beginning)]
  }
}

function parseLine(text: string): JsonLine {
  try {
    return { kind: 'value', value: JSON.parse(text) as JsonValue }
  } catch {
    return { kind: 'noise', text: text.slice(0, shownBytes).trim() }
  }
}
