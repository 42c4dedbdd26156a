import type { ParsedPatch } from '../hunk.ts'
import { trimBoth, trimStart } from '../lines.ts'
import { firstLineMessage, heredocs } from '../parse-frame.ts'
import { beginMarker, endMarker } from '../parse-markers.ts'
import { parsePatch } from '../parse.ts'
import { HunkEvents } from './hunk-events.ts'
import type { PatchStreamEvent } from './patch-stream-event.ts'

export interface PatchStreamEnd {
  readonly events: readonly PatchStreamEvent[]
  /** Of all pieces together, as `parsePatch` reads them in dialect `strict`. */
  readonly parsed: ParsedPatch
}

type Frame = 'before' | 'heredoc' | 'inside'

/** Reads a V4A patch while it is still being written. What it tells does not depend on how the text is cut into pieces. */
export class PatchStream {
  readonly #pieces: string[] = []
  readonly #hunks = new HunkEvents()
  /** The line that has not ended yet, in pieces. */
  #open: string[] = []
  #frame: Frame = 'before'
  #isHeredoc = false
  /** A line that may turn out to be the last one of the patch, and the blank ones below it. */
  #held: string[] = []

  /** @returns what can be told since the last piece */
  feed(piece: string): readonly PatchStreamEvent[] {
    this.#pieces.push(piece)
    const [first = '', ...others] = piece.split('\n')
    this.#open.push(first)
    for (const next of others) {
      this.#readLine(this.#open.join('').replace(/\r{1,2}$/, ''))
      this.#open = [next]
    }
    return this.#hunks.take()
  }

  /** No more comes. */
  end(): PatchStreamEnd {
    const parsed = parsePatch(this.#pieces.join(''), { dialect: 'strict' })
    if (parsed.kind === 'patch') this.#readRest()
    else this.#hunks.break(parsed.message, parsed.line)
    return { events: this.#hunks.take(), parsed }
  }

  #readLine(text: string): void {
    if (this.#frame !== 'inside') {
      this.#readFirst(text)
      return
    }
    if (this.#held.length > 0 && (trimBoth(text) === '' || this.#mayCloseHeredoc(text))) {
      this.#held.push(text)
      return
    }
    for (const line of this.#held) this.#hunks.read(line)
    this.#held = []
    if (this.#mayBeLast(text)) this.#held = [text]
    else this.#hunks.read(text)
  }

  #readFirst(text: string): void {
    if (this.#frame === 'before' && trimBoth(text) === '') return
    if (this.#frame === 'before' && heredocs.includes(trimStart(text))) {
      this.#frame = 'heredoc'
      this.#isHeredoc = true
      return
    }
    this.#frame = 'inside'
    if (trimBoth(text) !== beginMarker) this.#hunks.break(firstLineMessage, 1)
  }

  /** An end marker behind white space would be content in the middle, and the last line is trimmed. */
  #mayBeLast(text: string): boolean {
    const isHiddenEnd = text !== trimStart(text) && trimBoth(text) === endMarker
    return isHiddenEnd || this.#mayCloseHeredoc(text)
  }

  #mayCloseHeredoc(text: string): boolean {
    return this.#isHeredoc && text.endsWith('EOF')
  }

  /** The last lines of a patch that is known to be valid. */
  #readRest(): void {
    const rest = [...this.#held, this.#open.join('')]
    while (rest.length > 0 && trimBoth(rest.at(-1) ?? '') === '') rest.pop()
    if (this.#isHeredoc) rest.pop()
    for (const [index, line] of rest.entries()) this.#hunks.read(index === rest.length - 1 ? endMarker : line)
  }
}
