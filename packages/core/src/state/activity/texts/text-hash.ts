/** A fast hash of text for comparing within one run; not for security: whoever makes two texts collide stops only itself. */

/** Text that comes in pieces: the same text in other pieces has the same digest. Its memory does not grow. */
export interface RunningHash {
  add(piece: string): void
  /** The units of a text from one index to before another. */
  addPart(text: string, from: number, end: number): void
  /** Of everything so far. 53 bits in base 36. */
  digest(): string
}

/** 53 bits in base 36. After "cyrb53" by bryc, public domain. */
export function textHash(text: string): string {
  const hash = runningHash()
  hash.add(text)
  return hash.digest()
}

export function runningHash(): RunningHash {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  const addPart = (text: string, from: number, end: number): void => {
    let one = high
    let other = low
    for (let index = from; index < end; index += 1) {
      const unit = text.charCodeAt(index)
      one = Math.imul(one ^ unit, 2654435761)
      other = Math.imul(other ^ unit, 1597334677)
    }
    high = one
    low = other
  }
  return {
    addPart,
    add(piece) {
      addPart(piece, 0, piece.length)
    },
    digest() {
      const one = mixBits(high, 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
      const other = mixBits(low, 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
      return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36)
    },
  }
}

function mixBits(half: number, factor: number): number {
  return Math.imul(half ^ (half >>> 16), factor)
}
