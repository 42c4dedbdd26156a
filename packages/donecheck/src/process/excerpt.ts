import { createHash } from 'node:crypto'
import type { OutputExcerpt } from '../events/index.ts'
import { unfinishedAtEnd, unstartedAtStart } from './utf8.ts'

/**
 * Takes any amount of bytes and keeps their two ends, their number and their digest.
 * Its memory is at most `headBytes + tailBytes`, however much comes in.
 */
export class OutputCollector {
  readonly #headBytes: number
  readonly #tail: LastBytes
  readonly #digest = createHash('sha256')
  #head: Buffer | undefined
  #headLength = 0
  #totalBytes = 0

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes
    this.#tail = new LastBytes(tailBytes)
  }

  add(bytes: Buffer): void {
    this.#digest.update(bytes)
    this.#totalBytes += bytes.length
    const room = this.#headBytes - this.#headLength
    if (room > 0) {
      this.#head ??= Buffer.allocUnsafe(this.#headBytes)
      this.#headLength += bytes.copy(this.#head, this.#headLength, 0, room)
    }
    if (bytes.length > room) this.#tail.add(bytes.subarray(room))
  }

  /** May be asked for at any time and more than once. */
  excerpt(): OutputExcerpt {
    const totalBytes = this.#totalBytes
    const digest = this.#digest.copy().digest('hex')
    const head = this.#head?.subarray(0, this.#headLength) ?? Buffer.alloc(0)
    const tail = this.#tail.bytes()
    if (head.length + tail.length === totalBytes)
      return { head: Buffer.concat([head, tail]).toString(), tail: '', totalBytes, omittedBytes: 0, digest }
    const cutHead = head.subarray(0, head.length - unfinishedAtEnd(head))
    const cutTail = tail.subarray(unstartedAtStart(tail))
    const omittedBytes = totalBytes - cutHead.length - cutTail.length
    return { head: cutHead.toString(), tail: cutTail.toString(), totalBytes, omittedBytes, digest }
  }
}

/** The excerpt of a text that is at hand as a whole. */
export function excerptOf(text: string, headBytes: number, tailBytes: number): OutputExcerpt {
  const collector = new OutputCollector(headBytes, tailBytes)
  collector.add(Buffer.from(text))
  return collector.excerpt()
}

/** An excerpt as one text: where something is left out, a line says how much. */
export function showExcerpt({ head, tail, omittedBytes }: OutputExcerpt): string {
  return omittedBytes === 0 ? head + tail : `${head}\n[... ${omittedBytes} bytes left out ...]\n${tail}`
}

/** A ring that holds the last `capacity` bytes. */
class LastBytes {
  readonly #capacity: number
  #ring: Buffer | undefined
  /** Where the next byte goes. */
  #next = 0
  #length = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  add(bytes: Buffer): void {
    if (this.#capacity === 0) return
    this.#ring ??= Buffer.allocUnsafe(this.#capacity)
    const last = bytes.subarray(Math.max(0, bytes.length - this.#capacity))
    const copied = last.copy(this.#ring, this.#next)
    last.copy(this.#ring, 0, copied)
    this.#next = (this.#next + last.length) % this.#capacity
    this.#length = Math.min(this.#capacity, this.#length + last.length)
  }

  bytes(): Buffer {
    if (this.#ring === undefined) return Buffer.alloc(0)
    if (this.#length < this.#capacity) return this.#ring.subarray(0, this.#length)
    return Buffer.concat([this.#ring.subarray(this.#next), this.#ring.subarray(0, this.#next)])
  }
}
