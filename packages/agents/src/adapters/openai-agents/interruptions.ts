/** Calls for which the SDK wants an approval: the gate and its approver say what they can, and the rest waits for the SDK's own user. */
import { fieldOf, listField, textField } from '../../protocol/host/index.ts'
import { approvalIn } from '../../session/index.ts'
import { callMethod } from './sdk.ts'
import type { AgentsSession } from './agents-session.ts'
import { callOf } from './translate.ts'

/**
 * @param mayApprove the gate or the approver was chosen by the user, so that their yes stands for the user's
 * @returns names of the tools whose calls still wait
 */
export async function settleInterruptions(
  result: object,
  session: AgentsSession,
  mayApprove: boolean,
): Promise<readonly string[]> {
  const state = fieldOf(result, 'state')
  const waiting: string[] = []
  for (const item of listField(result, 'interruptions')) {
    const raw = fieldOf(item, 'rawItem')
    const call = callOf(raw, session.acts)
    const approval = call === undefined ? undefined : approvalIn(await session.proposeCall(call))
    const isSettled = approval !== undefined && (!approval.approved || mayApprove)
    if (typeof state !== 'object' || state === null || !isSettled)
      waiting.push(call?.tool ?? textField(raw, 'name') ?? 'a tool')
    else if (approval.approved) callMethod(state, 'approve', item)
    else callMethod(state, 'reject', item, { message: approval.reason })
  }
  return waiting
}
