import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { firstLineOf } from './first-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-line-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string): string {
  const file = join(folder, 'record')
  writeFileSync(file, text)
  return file
}

describe('given a file', () => {
  it('is its first line that is read', () => {
    expect(firstLineOf(fileWith('first ü\nsecond\n'))).toBe('first ü')
    expect(firstLineOf(fileWith('\nsecond'))).toBe('')
  })

  it('is nothing where the line has no end, or none in time', () => {
    expect(firstLineOf(fileWith('first'))).toBeUndefined()
    expect(firstLineOf(fileWith(`${'x'.repeat(1024 * 1024)}\n`))).toBeUndefined()
  })
})

describe('given something else', () => {
  it('is nothing', () => {
    for (const path of [folder, join(folder, 'none')]) expect(firstLineOf(path)).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('does not wait for a pipe (not on Windows)', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(firstLineOf(pipe)).toBeUndefined()
  })
})
