import type { LoopRecord } from '../records.ts'

export interface PingPong {
  /** Alternating calls at the end, the current one included; 0: there is no alternation or the call does not continue it. */
  readonly count: number
  /** Each side has a result for every call, and always the same one. */
  readonly hasEvidence: boolean
  readonly paired: LoopRecord | undefined
}

const none: PingPong = { count: 0, hasEvidence: false, paired: undefined }

export function pingPong(history: readonly LoopRecord[], currentHash: string): PingPong {
  const last = history.at(-1)
  const other = history.findLast(({ argsHash }) => argsHash !== last?.argsHash)
  if (last === undefined || other?.argsHash !== currentHash) return none
  const expected = [last.argsHash, other.argsHash]
  const back = history.toReversed()
  const broken = back.findIndex(({ argsHash }, at) => argsHash !== expected[at % 2])
  const tail = broken === -1 ? back : back.slice(0, broken)
  if (tail.length < 2) return none
  return { count: tail.length + 1, hasEvidence: areStable(tail), paired: last }
}

function areStable(tail: readonly LoopRecord[]): boolean {
  return tail.every(({ outcome }, at) => {
    const hash = outcome?.resultHash
    return hash !== undefined && hash === tail[at % 2]?.outcome?.resultHash
  })
}
