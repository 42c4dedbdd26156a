import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { lineFinder, PatternTimeout, searchTextTool } from './search-text.ts'

const never = new AbortController().signal

describe('given a search', () => {
  toolContract('search_text', {
    make: searchTextTool,
    good: { pattern: 'one', path: 'd' },
    pathArgument: 'path',
  })
  afterEach(removeToolFolders)

  async function search(args: Record<string, JsonValue>, folder = richFolder()): Promise<readonly string[]> {
    const outcome = await (await ready(searchTextTool(folder), args)).run(never)
    expect(outcome.status).toBe('ok')
    return outcome.output.split('\n')
  }

  it('finds plain text in all files, in order', async () => {
    expect(await search({ pattern: 'one' })).toEqual(['a.txt:1: one', 'd/b.txt:1: one', 'd-e/c.txt:1: one.'])
    expect(await search({ pattern: 'one.' })).toEqual(['d-e/c.txt:1: one.'])
  })

  it('finds by an expression, and in any case on demand', async () => {
    expect(await search({ pattern: '^o.e$', regex: true })).toEqual(['a.txt:1: one', 'd/b.txt:1: one'])
    expect(await search({ pattern: 'TWO', ignore_case: true })).toEqual(['a.txt:2: two'])
    expect(await search({ pattern: 'TWO' })).toEqual([
      '[no matches of the plain text; for an expression, set regex]',
    ])
  })

  it('searches a folder, a file, or files by a pattern', async () => {
    expect(await search({ pattern: 'one', path: 'd' })).toEqual(['d/b.txt:1: one'])
    expect(await search({ pattern: 'one', path: 'd/b.txt' })).toEqual(['d/b.txt:1: one'])
    expect(await search({ pattern: 'one', files: 'd*/*' })).toEqual(['d/b.txt:1: one', 'd-e/c.txt:1: one.'])
  })

  it('leaves out binary files, and .git and node_modules unless asked', async () => {
    expect(await search({ pattern: 'hidden' })).toEqual(['.hidden:1: hidden', 'ignored:1: hidden'])
    expect(await search({ pattern: 'hidden', all: true })).toEqual([
      ...['.git/x:1: hidden', '.hidden:1: hidden', 'ignored:1: hidden', 'node_modules/x:1: hidden'],
    ])
    expect(await search({ pattern: 'hidden', path: 'node_modules' })).toEqual(['node_modules/x:1: hidden'])
  })

  it('says when there is more', async () => {
    expect(await search({ pattern: 'one', limit: 2 })).toEqual([
      ...['a.txt:1: one', 'd/b.txt:1: one'],
      '[the first 2; there are more: narrow it by pattern, path or files]',
    ])
  })

  it('shows the part of a long line that matches', async () => {
    const folder = toolFolder()
    writeFileSync(join(folder, 'long'), `${'ü'.repeat(9_000)}needle${'y'.repeat(9_000)}\r\n`)
    const [line = ''] = await search({ pattern: 'needle' }, folder)
    expect(line).toMatch(/^long:1: \.\.\. ü{100}needley{194} \.\.\.$/)
  })
})

describe('given a search that cannot be done', () => {
  afterEach(removeToolFolders)

  it.each([
    [{ pattern: '(', regex: true }, 'pattern: '],
    [{ pattern: 'a\nb' }, 'pattern: '],
    [{ pattern: '' }, 'pattern: '],
  ])('%j is refused', async (args, reason) => {
    expect(await searchTextTool(toolFolder()).prepare(args)).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining(reason) as string,
    })
  })

  it('an expression that takes for ever is given up', async () => {
    const folder = toolFolder()
    writeFileSync(join(folder, 'trap'), `${'a'.repeat(100)}!`)
    expect(
      await (await ready(searchTextTool(folder), { pattern: '(a+)+$', regex: true })).run(never),
    ).toEqual({
      status: 'error',
      output: 'the expression takes too long: make it simpler, or search plain text',
    })
  })
})

function richFolder(): string {
  const folder = toolFolder()
  for (const path of ['d-e', '.git', 'node_modules']) mkdirSync(join(folder, path))
  const files = { 'd-e/c.txt': 'one.\n', '.git/x': 'hidden', 'node_modules/x': 'hidden', '.hidden': 'hidden' }
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content)
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  writeFileSync(join(folder, 'ignored'), 'hidden')
  writeFileSync(join(folder, 'binary'), 'hidden one two\n\0')
  return folder
}

const plain = { isRegex: false, ignoreCase: false }
const generousMs = 60_000

describe('given a text and an expression', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\\', '(', '$') })
  test.prop([fc.array(line), line.filter((text) => text !== '')])(
    'a plain text is found where it is',
    (lines, pattern) => {
      const found = lineFinder({ ...plain, pattern }, generousMs).find(lines.join('\n'), Infinity)
      const expected = lines.flatMap((text, index) =>
        text.includes(pattern) ? [[index + 1, text.indexOf(pattern)]] : [],
      )
      expect(found.map(({ line: number, column }) => [number, column])).toEqual(expected)
    },
  )
})

describe('given an expression that takes for ever', () => {
  it.each(['(a+)+$', '(a|a)*$', '(.*a){30}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])('%s is stopped', (pattern) => {
    const finder = lineFinder({ pattern, isRegex: true, ignoreCase: false }, 50)
    expect(() => finder.find(`${'a'.repeat(200)}!`, 9)).toThrow(PatternTimeout)
    expect(() => finder.find('a', 9)).toThrow(PatternTimeout)
  })
})
