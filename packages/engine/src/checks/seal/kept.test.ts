import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { countsQuantities, newFolder, removeFolders } from './fixtures/shop.ts'
import { keepChecks, readKept, type KeptCheck } from './kept.ts'

afterEach(removeFolders)

const { kind, title, command, files } = countsQuantities
const check: KeptCheck = { name: 'sealed 1', kind, author: 'good', title, command, files }

function kept() {
  const folder = join(newFolder(), 'sealed')
  return { folder, digest: keepChecks(folder, [check]) }
}

describe('given checks that were sealed', () => {
  it('they are found again as they were, and nobody else may read them', () => {
    const { folder, digest } = kept()
    expect(readKept(folder, digest)).toEqual([check])
    expect(statSync(folder).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'checks.json')).mode & 0o077).toBe(0)
  })

  it.each<[string, (folder: string) => void]>([
    ['a file is changed', (folder) => writeFileSync(join(folder, 'files/test/counts-quantities.js'), '')],
    ['a file is gone', (folder) => rmSync(join(folder, 'files'), { recursive: true })],
    ['the list is changed', (folder) => writeFileSync(join(folder, 'checks.json'), '[]')],
    ['the list is no list', (folder) => writeFileSync(join(folder, 'checks.json'), 'nothing')],
    ['all of it is gone', (folder) => rmSync(folder, { recursive: true })],
  ])('where %s, they are not taken', (_, change) => {
    const { folder, digest } = kept()
    change(folder)
    expect(() => readKept(folder, digest)).toThrow(UsageError)
    expect(() => readKept(folder, digest)).toThrow('start a new run')
  })
})
