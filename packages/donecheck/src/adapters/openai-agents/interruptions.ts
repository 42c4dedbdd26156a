/** Calls for which the SDK wants an approval: the gate and its approver say what they can, and the rest waits for the SDK's own user. */
import { fieldOf, listField, textField, type HostAnswer } from '../../agents/index.ts'
import { callMethod } from './sdk.ts'
import type { ToldRun } from './told-run.ts'
import { callOf } from './translate.ts'

export interface SettledInterruptions {
  /** So many have their answer now. */
  readonly answered: number
  /** Names of the tools whose calls still wait. */
  readonly waiting: readonly string[]
}

/** @param mayApprove the gate or the approver was chosen by the user, so that their yes stands for the user's */
export async function settleInterruptions(
  result: object,
  told: ToldRun,
  mayApprove: boolean,
): Promise<SettledInterruptions> {
  const state = fieldOf(result, 'state')
  const waiting: string[] = []
  let answered = 0
  for (const item of listField(result, 'interruptions')) {
    const raw = fieldOf(item, 'rawItem')
    const call = callOf(raw, told.acts)
    const decision = call === undefined ? undefined : decisionOf(await told.proposed(call), mayApprove)
    if (typeof state !== 'object' || state === null || decision === undefined)
      waiting.push(call?.tool ?? textField(raw, 'name') ?? 'a tool')
    else {
      answered += 1
      if (decision === 'approve') callMethod(state, 'approve', item)
      else callMethod(state, 'reject', item, decision)
    }
  }
  return { answered, waiting }
}

/** Undefined: it is for the SDK's own user to say. */
function decisionOf(
  answer: HostAnswer,
  mayApprove: boolean,
): 'approve' | { readonly message: string } | undefined {
  switch (answer.kind) {
    case 'refuse':
      return { message: answer.reason }
    case 'end':
      return { message: answer.message }
    case 'pass':
      return mayApprove && answer.allowed === true ? 'approve' : undefined
    case 'ask':
    case 'send-back':
      return undefined
  }
}
