import { describe, expect, it } from 'vitest'
import { fileChangesOf } from './change-files.ts'

function seen(...bytes: readonly number[]): string | null | undefined {
  const after = { bytes: Uint8Array.from(bytes), mode: 0o644 }
  return fileChangesOf([{ path: 'x', before: null, after }])[0]?.after
}

describe('given the files of a change', () => {
  it('every text that can be edited is shown to the gate, whatever its encoding', () => {
    expect(seen(0x61, 0xc3, 0xa9)).toBe('aé')
    expect(seen(0x61, 0xe9)).toBe('aé')
  })

  it('a byte order mark is part of it: a script that gets one is another', () => {
    expect(seen(0xef, 0xbb, 0xbf, 0x61)).toBe('\ufeffa')
  })

  it('what is no text has none, and what is no file is null', () => {
    expect(seen(0xff, 0xfe, 0x61, 0x62)).toBeUndefined()
    expect(seen(0x61, 0)).toBeUndefined()
    expect(seen(0x61, 0, 0xe9)).toBeUndefined()
    expect(fileChangesOf([{ path: 'x', before: null, after: null }])[0]?.before).toBeNull()
  })
})
