/** How often in a row the same call, other calls between left aside, came to the same result. */
import type { LoopRecord } from '../records.ts'

export interface NoProgress {
  readonly count: number
  /** Of the newest call that has one. */
  readonly latestResultHash: string | undefined
}

/** 2026.9: own vetoes count too, and of `exec` failures with other arguments may make the longer streak. */
export function noProgress2026(
  history: readonly LoopRecord[],
  toolName: string,
  argsHash: string,
): NoProgress {
  const same = history.filter((record) => record.toolName === toolName && record.argsHash === argsHash)
  const repeated = countBack(same, isSameResult)
  if (toolName !== 'exec') return repeated
  const others = history.findLastIndex((record) => record.toolName !== toolName)
  const failures = countBack(failuresBack(history.slice(others + 1), argsHash), isSameFailure)
  return failures.count > repeated.count ? failures : repeated
}

/** A veto counts when an older call goes on with the streak; where no call has a result at all, vetoes are the streak. */
function countBack(
  records: readonly LoopRecord[],
  continues: (record: LoopRecord, latest: LoopRecord) => boolean,
): NoProgress {
  let latest: LoopRecord | undefined
  let count = 0
  let vetoes = 0
  for (const record of records.toReversed()) {
    if (record.outcome?.outcomeKind === 'tool-loop-veto') {
      vetoes += 1
    } else if (record.outcome?.resultHash !== undefined) {
      latest ??= record
      if (!continues(record, latest)) break
      count += vetoes + 1
      vetoes = 0
    }
  }
  return { count: latest === undefined ? vetoes : count, latestResultHash: latest?.outcome?.resultHash }
}

function isSameResult(record: LoopRecord, latest: LoopRecord): boolean {
  return record.outcome?.resultHash === latest.outcome?.resultHash
}

function isSameFailure(record: LoopRecord, latest: LoopRecord): boolean {
  const identity = record.outcome?.failureIdentityHash
  return (
    isSameResult(record, latest) ||
    (identity !== undefined && identity === latest.outcome?.failureIdentityHash)
  )
}

/**
 * The failed runs at the end of a stretch of `exec`. Once other arguments were met, the current ones end it: what came before was
 * another attempt. Vetoes and calls without a result are passed over where they stand; without any failure there is no streak.
 */
function failuresBack(stretch: readonly LoopRecord[], argsHash: string): readonly LoopRecord[] {
  const failures: LoopRecord[] = []
  let hasCrossed = false
  for (const record of stretch.toReversed()) {
    const { outcome } = record
    if (outcome?.outcomeKind === 'tool-loop-veto') {
      failures.push(record)
    } else if (outcome?.resultHash !== undefined) {
      if (outcome.outcomeKind !== 'terminal-exec-failure') break
      if (hasCrossed && record.argsHash === argsHash) break
      hasCrossed ||= record.argsHash !== argsHash
      failures.push(record)
    }
  }
  const isOnlyVetoes = failures.every(({ outcome }) => outcome?.resultHash === undefined)
  return isOnlyVetoes ? [] : failures.toReversed()
}
