import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFileMode, withNewFileModes } from './file-operations.ts'

const bytes = Buffer.from('x')

describe('given a new file', () => {
  it('its mode is the one that this process gives to any new file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'donecheck-mode-'))
    try {
      writeFileSync(join(folder, 'x'), '')
      expect(newFileMode()).toBe(statSync(join(folder, 'x')).mode & 0o777)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('a patch only says whether it may be run; files that are there or were moved keep what they have', () => {
    const image = (mode: number) => ({ bytes, mode })
    const changes = [
      { path: 'new', before: null, after: image(0o644) },
      { path: 'run', before: null, after: image(0o755) },
      { path: 'moved', before: null, after: image(0o600), movedFrom: 'old' },
      { path: 'old', before: image(0o600), after: null },
      { path: 'there', before: image(0o604), after: image(0o604) },
    ]
    expect(withNewFileModes(changes)).toEqual([
      { ...changes[0], after: image(newFileMode()) },
      { ...changes[1], after: image(newFileMode(true)) },
      ...changes.slice(2),
    ])
    expect(newFileMode(true) & 0o100).toBe(0o100)
  })
})
