import { familyOf } from '../base/index.ts'
import type { Finding } from '../events/index.ts'
import type { RunState } from '../state/index.ts'

/** Reported once at the start: a judge of the agent's family shares its blind spots. */
export function sameFamilyJudge(state: RunState): Finding | undefined {
  const family = familyOf(state.agent.name)
  const { verifiers, replyCheck } = state.settings
  const judges = [
    ...verifiers.map(({ name, families = [] }) => ({ name, families })),
    { name: 'the judge of replies', families: replyCheck?.families ?? [] },
  ]
  const kin = judges.filter(({ families }) => family !== undefined && families.includes(family))
  if (kin.length === 0) return undefined
  const names = kin.map(({ name }) => name).join(', ')
  return {
    rule: 'kindred-judge',
    level: 'warn',
    message: `${names} judges with a model of the same family as the agent (${family}): it may share its blind spots; another family is better`,
    numbers: {},
    basedOn: [],
  }
}
