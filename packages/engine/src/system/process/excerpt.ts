import { createHash } from 'node:crypto'
import type { OutputExcerpt } from '@donecheck/core/internal/events/verdicts'
import { cutBesideSecrets, furthestLook } from '@donecheck/core/internal/secrets'

/**
 * Keeps both ends, size and digest of a byte stream in bounded memory. Never cuts inside a key of a known
 * shape, which could then not be masked.
 */
export class OutputCollector {
  readonly #headBytes: number
  readonly #tailBytes: number
  /** Head, plus enough to tell whether a key crosses its end. */
  readonly #firstBytes: number
  #first: Buffer | undefined
  #firstLength = 0
  /** Tail, plus as much before it. */
  readonly #last: LastBytes
  readonly #digest = createHash('sha256')
  #totalBytes = 0

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes
    this.#tailBytes = tailBytes
    this.#firstBytes = headBytes === 0 ? 0 : headBytes + furthestLook
    this.#last = new LastBytes(tailBytes === 0 ? 0 : tailBytes + furthestLook)
  }

  add(bytes: Buffer): void {
    this.#digest.update(bytes)
    this.#totalBytes += bytes.length
    const room = this.#firstBytes - this.#firstLength
    if (room > 0) {
      this.#first ??= Buffer.allocUnsafe(this.#firstBytes)
      this.#firstLength += bytes.copy(this.#first, this.#firstLength, 0, room)
    }
    this.#last.add(bytes)
  }

  excerpt(): OutputExcerpt {
    const totalBytes = this.#totalBytes
    const digest = this.#digest.copy().digest('hex')
    const first = this.#first?.subarray(0, this.#firstLength) ?? Buffer.alloc(0)
    const last = this.#last.bytes()
    const behindHead = totalBytes - this.#headBytes
    if (behindHead <= this.#tailBytes) {
      const rest = behindHead > 0 ? last.subarray(last.length - behindHead) : Buffer.alloc(0)
      const whole = Buffer.concat([first.subarray(0, this.#headBytes), rest])
      return { head: whole.toString(), tail: '', totalBytes, omittedBytes: 0, digest }
    }
    const head = headOf(first, Math.min(first.length, this.#headBytes))
    const tail = tailOf(last, Math.max(0, last.length - this.#tailBytes))
    const omittedBytes = totalBytes - head.length - tail.length
    return { head: head.toString(), tail: tail.toString(), totalBytes, omittedBytes, digest }
  }
}

/** Latin 1 has one character per byte, and keys are ASCII. */
function headOf(bytes: Buffer, length: number): Buffer {
  const head = bytes.subarray(0, cutBesideSecrets(bytes.toString('latin1'), length, 'before'))
  return head.subarray(0, head.length - countUnfinishedBytes(head))
}

function tailOf(bytes: Buffer, from: number): Buffer {
  const tail = bytes.subarray(cutBesideSecrets(bytes.toString('latin1'), from, 'behind'))
  return tail.subarray(countContinuationBytes(tail))
}

export function excerptOf(text: string, headBytes: number, tailBytes: number): OutputExcerpt {
  const collector = new OutputCollector(headBytes, tailBytes)
  collector.add(Buffer.from(text))
  return collector.excerpt()
}

/** Joins both ends, with a line about omitted bytes. */
export function showExcerpt({ head, tail, omittedBytes }: OutputExcerpt): string {
  return omittedBytes === 0 ? head + tail : `${head}\n[... ${omittedBytes} bytes left out ...]\n${tail}`
}

class LastBytes {
  readonly #capacity: number
  #ring: Buffer | undefined
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

/** Bytes of a UTF-8 character. */
const longestCharacter = 4

/** Trailing bytes of an unfinished UTF-8 character: 0 to 3. */
export function countUnfinishedBytes(bytes: Uint8Array): number {
  const furthest = Math.min(longestCharacter - 1, bytes.length)
  for (let back = 1; back <= furthest; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return characterLength(byte) > back ? back : 0
  }
  return 0
}

/** Leading continuation bytes: 0 to 3. */
function countContinuationBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < longestCharacter - 1 && count < bytes.length && isContinuation(bytes[count] ?? 0)) count += 1
  return count
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_1000) return 1
  if (firstByte >= 0b1111_0000) return 4
  if (firstByte >= 0b1110_0000) return 3
  return firstByte >= 0b1100_0000 ? 2 : 1
}
