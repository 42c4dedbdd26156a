import { runningHash } from './text-hash.ts'

/** Text that is passed on up to a cap. Behind it only its length and a running hash go on: its memory does not grow. */
export interface CappedText {
  put(piece: string): void
  /** Says what became of the rest, where there is one: `~<its length>:<its hash>`. */
  end(): void
}

/** @param maxCharacters UTF-16 units that are passed on */
export function capText(write: (piece: string) => void, maxCharacters: number): CappedText {
  const rest = runningHash()
  let passed = 0
  let restLength = 0
  return {
    put(piece) {
      const room = maxCharacters - passed
      const shown = piece.length <= room ? piece : piece.slice(0, room)
      if (shown !== '') write(shown)
      passed += shown.length
      if (shown.length === piece.length) return
      const hidden = piece.slice(shown.length)
      rest.add(hidden)
      restLength += hidden.length
    },
    end() {
      if (restLength > 0) write(`~${restLength}:${rest.digest()}`)
    },
  }
}
