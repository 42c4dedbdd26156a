/** What happens at a cap where nothing but the answer of a person is missing: the run ends with the question. */
import { describe, it } from 'vitest'
import { begun, checked, edited, failedVerdict, given, passedVerdict, pending } from '../../testing/index.ts'

const tests = 'npm test'

describe('given a cap at which checks are green only because the agent changed them', () => {
  const tampered = failedVerdict(tests, { qualifiers: ['tampered'] })
  const changed = given(
    begun({ verifiers: [tests, 'lint'], caps: { maxIterations: 1 } }, failedVerdict(tests)),
    edited(1, 'tree-1'),
    checked('claim', tampered, passedVerdict('lint')),
  )

  it('checks once more, now that only a person can decide', () => {
    changed.whenDecided().then({ kind: 'verify', trigger: 'cap' })
  })

  it('ends with the question, and not as exhausted', () => {
    const waiting = pending(tests, { reason: 'needs approval' })
    changed
      .and(checked('cap', waiting, passedVerdict('lint')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'awaiting_approval', outcome: 'blocked' } })
  })

  it('is exhausted where a person has said no', () => {
    changed
      .and(checked('cap', tampered, passedVerdict('lint')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', outcome: 'exhausted' } })
  })

  it('asks nobody where another check is red as well', () => {
    given(
      begun({ verifiers: [tests, 'lint'], caps: { maxIterations: 1 } }, failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('claim', tampered, failedVerdict('lint')),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap' } })
  })
})
