import { describe, expect, it } from 'vitest'
import { claimedWork } from './judging.ts'

describe('given an answer', () => {
  it.each([
    'Done! All tests pass.',
    'The whole suite is green now.',
    'I ran it: 12 passed.',
    'The build succeeds and the linter passes.',
    'I passed the tests.',
    'Tests: 12 passed, 0 failed',
    'All 12 tests pass without errors.',
  ])('hears tests claimed in "%s"', (answer) => {
    expect(claimedWork(answer)).toBe('tests')
  })

  it.each([
    'I created report.md with the figures.',
    'Fixed the parser in `src/parse.ts`.',
    'The retry was added to lib/client',
    'Updated docs/guide/judges.md. The rest is as it was.',
    'Updated CI/CD: the change is in ci/deploy.',
    'Updated SRC/MAIN.C.',
  ])('hears files claimed in "%s"', (answer) => {
    expect(claimedWork(answer)).toBe('files')
  })

  it.each([
    '',
    'Your invoice was sent last Monday.',
    'The tests do not pass yet.',
    "I couldn't get the suite green.",
    'You can set the port in config.json.',
    'I updated my view: the second reading is better.',
    'If the tests pass, merge it.',
    'The CI/CD page was updated by your team.',
    'I changed the subject line and/or the greeting, as you like.',
    'The TCP/IP chapter was extended, and read/write access was removed.',
  ])('hears nothing of the kind in "%s"', (answer) => {
    expect(claimedWork(answer)).toBeUndefined()
  })
})
