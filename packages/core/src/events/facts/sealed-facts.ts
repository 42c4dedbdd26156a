/** Facts of checks that others wrote before the first turn, and that the drive never sees. */

/** `acceptance`: red before the work, green after it. `guard`: green before, and must stay so. */
export const sealedCheckKinds = ['acceptance', 'guard'] as const
type SealedCheckKind = (typeof sealedCheckKinds)[number]

/** No word of what it asks for. */
interface SealedCheck {
  /** Under which it is asked as a held-out check. */
  readonly name: string
  readonly kind: SealedCheckKind
  /** Such as a model's name. */
  readonly author: string
  /** The person who has seen it and said yes; absent: nobody was asked. */
  readonly approvedBy?: string
}

interface SealAuthor {
  readonly name: string
  /** On the judge's account, never on the drive's (I8). Null: not known. */
  readonly costUsd: number | null
  /** Why there is no check of this author. */
  readonly problem?: string
}

interface DroppedCheck {
  readonly author: string
  readonly reason: string
}

export interface ChecksSealed {
  readonly type: 'checks-sealed'
  readonly authors: readonly SealAuthor[]
  readonly checks: readonly SealedCheck[]
  readonly dropped: readonly DroppedCheck[]
  /** SHA-256, hex, of all that was kept: whoever goes on with the run must find the same. */
  readonly digest: string
}
