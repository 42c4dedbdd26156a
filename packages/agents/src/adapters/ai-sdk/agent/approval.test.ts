import { describe, expect, it } from 'vitest'
import { withGate } from '../guard.ts'

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
