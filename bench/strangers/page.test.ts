import { describe, expect, it } from 'vitest'
import { pageOf } from './page.ts'
import type { Replay } from './results.ts'

const replay: Replay = {
  name: 'gorilla/mux',
  commits: [
    { commit: 'c', placeMs: 3, isCheckSideChanged: true },
    { commit: 'd', placeMs: 5, isCheckSideChanged: false },
  ],
  files: 4,
  reasons: { 'check: test': 1, 'product: source': 3 },
  alarms: [],
  disagreements: [
    {
      path: 'a',
      commit: 'c',
      expected: 'check',
      placed: 'product',
      reason: 'source',
      because: '',
      isEarlier: true,
    },
  ],
}

describe('given what was measured', () => {
  const page = pageOf([replay])

  it('the page counts commits, second runs, files that stand elsewhere, and the slowest', () => {
    expect(page).toContain('| elsewhere | new tests elsewhere | alarms | slowest |')
    expect(page).toContain('| Go | 1 | 2 | 1 | 4 | 1 | 0 | 0 | 5 ms |')
    expect(page).toContain('`product: source` (3 files)')
  })
})
