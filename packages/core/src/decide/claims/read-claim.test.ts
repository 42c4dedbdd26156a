import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClaim } from './read-claim.ts'

describe('given what a final text says', () => {
  it.each([
    'I have fixed the parser.',
    "I've implemented it in `src/a.ts`.",
    'We refactored the module.\nAll is well.',
    'I made the requested changes.',
  ])('%s says that something was changed', (text) => {
    expect(readClaim(text).changedWork).toBe(true)
  })

  it.each([
    'I have not fixed the parser.',
    'If I fixed it, the test would pass.',
    'Should I have fixed it? I fixed it?',
    'I would have implemented it.',
    'The bug was fixed upstream.',
    'It is already fixed; I made no change.',
    '> I fixed the parser.',
    '```\nI fixed the parser.\n```',
    'I looked at the parser.',
    'Once I have implemented it, it works.',
    "I haven't implemented it.",
  ])('%s does not, as far as anybody can be sure', (text) => {
    expect(readClaim(text).changedWork).toBe(false)
  })

  it.each([
    ['I created `src/report.md` and wrote docs/b.txt.', ['src/report.md', 'docs/b.txt']],
    ['- Added `lib/a.test.js`', ['lib/a.test.js']],
    ['The report has been written to out/report.json.', ['out/report.json']],
    ['I created `report.md`. Then I removed the old one.', []],
    ['You can create `report.md`.', []],
    ['I updated Node.js and e.g. `foo.bar()`.', []],
    ['I added `../outside.ts`, `/etc/x.conf` and `src/*.ts`.', []],
    ['I read `src/a.ts`.', []],
    ['I updated CI/CD and `CI/CD`, and added and/or clauses of TCP/IP.', []],
  ])('%s names the files %j', (text, files) => {
    expect(readClaim(text).files).toEqual(files)
  })

  it('tells what was carried out, and what it admits', () => {
    expect(readClaim('Your reservation has been successfully cancelled.').carriedOut).toBe(true)
    expect(readClaim('Your reservation will be cancelled.').carriedOut).toBe(false)
    expect(readClaim('Done. One test still fails.').admitsLimits).toBe(true)
    expect(readClaim('Done. All tests pass.').admitsLimits).toBe(false)
  })
})

describe('given any text', () => {
  it('is read in bounded time and says of nothing that it was changed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        expect(readClaim(`It would be: ${text.replace(/[.!?\n]/g, ' ')}`)).toMatchObject({
          changedWork: false,
          carriedOut: false,
          files: [],
        })
      }),
    )
    expect(readClaim(`I created ${'`a.b '.repeat(50_000)}`).files.length).toBeLessThanOrEqual(16)
  })
})
