import { describe, expect, it } from 'vitest'
import { approvalQuestion, approverContract } from '../../testing/contracts/approver-contract.ts'
import { acceptAll, refuseAll } from './without-asking.ts'

approverContract('acceptAll', { make: () => acceptAll('--yes'), approves: true })
approverContract('refuseAll', { make: () => refuseAll('nobody can be asked'), approves: false })

const never = new AbortController().signal

describe('given nobody to ask', () => {
  it('an approval without a name is that of the program', async () => {
    expect(await acceptAll().ask(approvalQuestion(), never)).toMatchObject({
      approved: true,
      by: 'the program that runs the loop',
    })
  })

  it('an approval names what it rests on', async () => {
    expect(await acceptAll('--yes').ask(approvalQuestion(), never)).toMatchObject({ by: '--yes' })
  })

  it('a refusal says what was asked for and why nobody was asked', async () => {
    const question = { ...approvalQuestion(), reason: '`rm -rf src` requires approval: forced removal' }
    expect(await refuseAll('nobody can be asked: no terminal').ask(question, never)).toEqual({
      approved: false,
      by: 'no terminal',
      reason: '`rm -rf src` requires approval: forced removal; nobody can be asked: no terminal',
    })
  })
})
