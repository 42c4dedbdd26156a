import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readFirstLine } from './attendance.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-line-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string): string {
  const file = join(folder, 'record')
  writeFileSync(file, text)
  return file
}

describe('given a file', () => {
  it('is its first line that is read', () => {
    expect(readFirstLine(fileWith('first ü\nsecond\n'))).toBe('first ü')
    expect(readFirstLine(fileWith('\nsecond'))).toBe('')
  })

  it('is nothing where the line has no end, or none in time', () => {
    expect(readFirstLine(fileWith('first'))).toBeUndefined()
    expect(readFirstLine(fileWith(`${'x'.repeat(1024 * 1024)}\n`))).toBeUndefined()
  })
})

describe('given something else', () => {
  it('is nothing', () => {
    for (const path of [folder, join(folder, 'none')]) expect(readFirstLine(path)).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('does not wait for a pipe (not on Windows)', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(readFirstLine(pipe)).toBeUndefined()
  })
})
