import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDiffRecords } from './diff-records.ts'

const id = '1'.repeat(40)
const record = fc.record({
  path: fc.string({ minLength: 1, unit: 'binary' }).filter((path) => !path.includes('\0')),
  status: fc.constantFrom('A', 'D', 'M', 'T'),
  added: fc.option(fc.nat(), { nil: undefined }),
  removed: fc.option(fc.nat(), { nil: undefined }),
})
const records = fc.uniqueArray(record, { selector: ({ path }) => path })

describe('reading what git prints', () => {
  test.prop([records])('gives every path back, whatever its name is', (given) => {
    const raw = given.map(({ path, status }) => `:100644 100755 ${id} ${id} ${status}\0${path}\0`)
    const numbers = given.map(
      ({ path, added, removed }) => `${String(added ?? '-')}\t${String(removed ?? '-')}\t${path}\0`,
    )
    expect(readDiffRecords(raw.join('') + numbers.join(''))).toEqual(
      given.map(({ path, status, added, removed }) => ({
        path,
        status,
        newMode: '100755',
        oldId: id,
        newId: id,
        addedLines: added,
        removedLines: removed,
      })),
    )
  })

  it('refuses what it does not understand', () => {
    expect(() => readDiffRecords('nonsense\0')).toThrow(SyntaxError)
  })
})
