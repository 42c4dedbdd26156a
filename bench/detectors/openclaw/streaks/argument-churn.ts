import type { LoopRecord } from '../records.ts'

const callsPerVariant = 3

/**
 * Calls of one tool at the end of the history that go round a few sets of arguments, all with one result that is marked as no
 * progress. 0 unless there are two sets, each called three times, the current one among them.
 */
export function argumentChurn(history: readonly LoopRecord[], toolName: string, currentHash: string): number {
  const variants = new Map<string, { readonly resultHash: string; count: number }>()
  for (const { toolName: name, argsHash, outcome } of history.toReversed()) {
    if (name !== toolName) break
    if (outcome?.resultHash === undefined) continue
    if (outcome.noProgress !== true) break
    const variant = variants.get(argsHash) ?? { resultHash: outcome.resultHash, count: 0 }
    if (variant.resultHash !== outcome.resultHash) break
    variant.count += 1
    variants.set(argsHash, variant)
  }
  const all = [...variants.values()]
  const isShared = new Set(all.map(({ resultHash }) => resultHash)).size === 1
  const isStable = all.every(({ count }) => count >= callsPerVariant)
  if (all.length < 2 || !isShared || !isStable || !variants.has(currentHash)) return 0
  return all.reduce((sum, { count }) => sum + count, 0)
}
