import { describe, expect, it } from 'vitest'
import { approvalQuestion, approverContract } from '../testing/contracts/approver-contract.ts'
import { acceptAll, refuseAll } from './without-asking.ts'

approverContract('acceptAll', { make: () => acceptAll('--yes'), approves: true })
approverContract('refuseAll', { make: () => refuseAll('nobody can be asked'), approves: false })

const never = new AbortController().signal

describe('given nobody to ask', () => {
  it('an approval names what it rests on', async () => {
    expect(await acceptAll('--yes').ask(approvalQuestion(), never)).toMatchObject({ by: '--yes' })
  })

  it('a refusal says what to do about it', async () => {
    const refusal = await refuseAll('nobody can be asked: no terminal. Run with --yes').ask(
      approvalQuestion(),
      never,
    )
    expect(refusal).toEqual({
      approved: false,
      by: 'no terminal',
      reason: 'nobody can be asked: no terminal. Run with --yes',
    })
  })
})
