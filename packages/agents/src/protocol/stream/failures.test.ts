import { expect, it } from 'vitest'
import type { LinesEnd } from './json-lines.ts'
import { notBegun } from './failures.ts'

const exited = (exitCode: number, stderrTail = ''): LinesEnd => ({
  kind: 'exited',
  exitCode,
  problem: `it ended with exit code ${exitCode}`,
  stderrTail,
})

it('says what the program said first, in one harmless line, and where to look', () => {
  const help = `\u001B[91mUnknown argument: nosuch\u001B[0m\nUsage: agent\n${'  --option  what it does\n'.repeat(200)}`
  const failure = notBegun('An agent', exited(1, help), false)
  expect(failure).toMatchObject({ kind: 'configuration', retryable: false })
  expect(failure?.message).toMatch(
    /^An agent did not begin \(exit code 1\): are the words .* It said: Unknown argument: nosuch Usage: agent .{250,}…$/u,
  )
  expect(failure?.message.length).toBeLessThan(500)
})

it('is about no program that has begun, was killed, or ended without an error', () => {
  const killed: LinesEnd = { kind: 'signalled', exitCode: null, problem: 'it was killed', stderrTail: '' }
  expect(notBegun('An agent', exited(1), true)).toBeUndefined()
  expect(notBegun('An agent', killed, false)).toBeUndefined()
  expect(notBegun('An agent', exited(0), false)).toBeUndefined()
})
