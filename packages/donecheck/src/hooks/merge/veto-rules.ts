/** Points at which the work may be called not done, and never done: one veto is enough, and the reasons of all are told. */
import { z } from 'zod'
import { bounded } from '../show-thrown.ts'
import { longestText, type PointRules } from './point-rules.ts'
import { fieldReader, words } from './read-fields.ts'

type VetoPoint = 'after_verification' | 'before_finalize'

function vetoRules<Point extends VetoPoint>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({ veto: words.exactOptional() })),
    effectOf: ({ veto }) =>
      veto === undefined ? { effect: 'none' } : { effect: 'denied', note: bounded(veto) },
    merge: (merged, { veto }, hook) =>
      veto === undefined ? merged : joined(merged.veto, `hook ${hook}: ${veto}`),
    refuse: (merged, refusal) => joined(merged.veto, refusal),
    after: (input) => input,
    isDecided: () => false,
  }
}

function joined(before: string | undefined, veto: string): { readonly veto: string } {
  const own = bounded(veto, longestText)
  return { veto: before === undefined ? own : `${before}\n${own}` }
}

export const afterVerificationRules = vetoRules<'after_verification'>()
export const beforeFinalizeRules = vetoRules<'before_finalize'>()
