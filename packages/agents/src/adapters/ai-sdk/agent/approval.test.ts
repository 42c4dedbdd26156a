import { tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askOwnApproval, withGate, type OwnApproval } from './approval.ts'

const plain = tool({ inputSchema: z.object({}), execute: () => 'ran' })
const careful = Object.assign(tool({ inputSchema: z.object({}), execute: () => 'ran' }), {
  needsApproval: true,
})

function statusOf(approval: OwnApproval, toolName = 'plain') {
  return askOwnApproval(approval, {
    toolCall: { toolCallId: 'c', toolName, input: {} },
    tools: { plain, careful },
    toolsContext: {},
    runtimeContext: {},
    messages: [],
  })
}

describe('given what an agent says of its own approvals', () => {
  const settings: readonly (readonly [string, OwnApproval, string, string])[] = [
    ['nothing', undefined, 'plain', 'not-applicable'],
    ['nothing, and a tool that needs one', undefined, 'careful', 'user-approval'],
    ['a status', { plain: 'denied' }, 'plain', 'denied'],
    ['a function', { plain: () => ({ type: 'approved', reason: 'x' }) }, 'plain', 'approved'],
    ['one for all', () => 'user-approval', 'plain', 'user-approval'],
    ['one for all that has no say', () => undefined, 'careful', 'not-applicable'],
    ['a word that the SDK does not know', { plain: 'perhaps' }, 'plain', 'user-approval'],
    ['nothing of a tool with the name of an inherited field', {}, 'constructor', 'not-applicable'],
  ]

  it.each(settings)('takes %s', async (_, approval, name, type) => {
    expect(await statusOf(approval, name)).toMatchObject({ type })
  })
})

describe('given what the gate says', () => {
  it.each([
    ['refuses', { kind: 'refuse', reason: 'no' }, 'approved', 'denied'],
    ['is over', { kind: 'end', message: 'cap' }, 'not-applicable', 'denied'],
    ['wants a person', { kind: 'ask', reason: 'who?' }, 'approved', 'user-approval'],
    ['wants a person for what is denied', { kind: 'ask', reason: 'who?' }, 'denied', 'denied'],
    ['has nothing against it', { kind: 'pass' }, 'user-approval', 'user-approval'],
    ['allows it', { kind: 'pass', allowed: true }, 'user-approval', 'approved'],
    ['allows what is denied', { kind: 'pass', allowed: true }, 'denied', 'denied'],
    ['allows what needs nobody', { kind: 'pass', allowed: true }, 'not-applicable', 'not-applicable'],
  ] as const)('%s', (_, answer, own, type) => {
    expect(withGate(answer, { type: own }, true)).toMatchObject({ type })
  })

  it('does not approve in the name of a user who chose no gate', () => {
    expect(withGate({ kind: 'pass', allowed: true }, { type: 'user-approval' }, false)).toEqual({
      type: 'user-approval',
    })
  })
})
