import { createHash } from 'node:crypto'
import { lstatSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ContentDigests, fileReader, type ContentReader } from './content-digests.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'donecheck-digests-'))
const path = join(folder, 'file')

afterAll(() => rmSync(folder, { recursive: true }))

/** Counts how often content is read, at a time of the test's choice. */
function countingReader(now: { ms: number }): ContentReader & { readonly reads: number } {
  let reads = 0
  return {
    get reads() {
      return reads
    },
    nowMs: () => now.ms,
    digest(file, signal) {
      reads += 1
      return fileReader.digest(file, signal)
    },
  }
}

function look(digests: ContentDigests): Promise<string> {
  return digests.computeDigest('file', path, lstatSync(path), never)
}

function writtenAtMs(content: string): number {
  writeFileSync(path, content)
  return Math.ceil(lstatSync(path).ctimeMs)
}

describe('given a file that has rested for a while', () => {
  it('is read once', async () => {
    const reader = countingReader({ ms: writtenAtMs('one') + 2_500 })
    const digests = new ContentDigests(reader)
    expect(await look(digests)).toBe(await look(digests))
    expect(reader.reads).toBe(1)
  })

  it('is read again when its time of modification was put back', async () => {
    const writtenMs = writtenAtMs('one')
    const reader = countingReader({ ms: writtenMs + 2_500 })
    const digests = new ContentDigests(reader)
    const { atime, mtime } = lstatSync(path)
    await look(digests)
    writeFileSync(path, 'two')
    utimesSync(path, atime, mtime)
    await look(digests)
    expect(reader.reads).toBe(2)
  })
})

describe('given a file that was written just before it was read', () => {
  it('is read again every time, until it has rested', async () => {
    const now = { ms: writtenAtMs('one') + 1_500 }
    const reader = countingReader(now)
    const digests = new ContentDigests(reader)
    await look(digests)
    await look(digests)
    expect(reader.reads).toBe(2)
    now.ms += 2_500
    await look(digests)
    await look(digests)
    expect(reader.reads).toBe(3)
  })
})

describe('given the reader of real files', () => {
  it('gives the id that git has for all bytes, however many pieces it takes', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 7, 'content')
    writeFileSync(path, bytes)
    const digest = createHash('sha256').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    expect(await fileReader.digest(Buffer.from(path), never)).toBe(digest)
  })

  it('does not follow a symlink', async () => {
    symlinkSync(path, join(folder, 'link'))
    await expect(fileReader.digest(Buffer.from(join(folder, 'link')), never)).rejects.toThrow('ELOOP')
  })
})
