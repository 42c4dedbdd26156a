import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../errors.ts'
import { verifierContract } from '../../testing/contracts/verifier-contract.ts'
import { ask, wordsOf } from '../text/fixtures/ask.ts'
import { workFolder } from '../text/fixtures/work-folder.ts'
import { citationsResolve, type CitationsOptions } from './citations-resolve.ts'

const documents = [
  { id: 'state', text: 'Durable state is authoritative and survives restarts.' },
  { id: 'memory', text: 'Memory may be stale, and needs evidence before it is used.' },
]

verifierContract('citationsResolve', {
  passing: () => citationsResolve({ documents, source: { value: () => 'So it is [source:state].' } }),
  failing: () => citationsResolve({ documents }),
  undecided: () => citationsResolve({ documents: [] }),
  hanging: (onStart) =>
    citationsResolve({
      documents: () => {
        onStart()
        return new Promise(() => undefined)
      },
    }),
})

const resolve = (answer: string, options: Partial<CitationsOptions> = {}) =>
  ask(citationsResolve({ documents, ...options }), answer)

describe('given an answer with citations', () => {
  it.each([
    ['one that exists', 'It survives [source:state].', 'passed'],
    ['one that does not', 'It survives [source:phantom].', 'failed'],
    ['one of two that does not', 'Yes [source:state]. No [source:phantom].', 'failed'],
    ['a list', 'Both say so [source: state, memory].', 'passed'],
    ['a list with a phantom', 'Both say so [source: state; phantom].', 'failed'],
    ['a list that ends in nothing', 'So [source: state,].', 'failed'],
    ['an id in other letters', 'So [source:State].', 'failed'],
    ['none', 'It survives.', 'failed'],
    ['another kind of brackets', 'It survives [state](state).', 'failed'],
    ['a true quotation', 'They say “state is authoritative and survives restarts” [source:state].', 'passed'],
    ['a false quotation', 'They say "state is lost on every restart" [source:state].', 'failed'],
    ['a quotation of another document', 'They say "Memory may be stale" [source:state].', 'failed'],
    ['a quotation of one of two', 'They say "Memory may be stale" [source:state] [source:memory].', 'passed'],
    ['a quotation with a gap', '«Durable state … survives restarts» [source:state]', 'passed'],
    [
      'a quotation after its citation',
      'In [source:memory] we read "needs evidence before it is used".',
      'passed',
    ],
    ['a false one after its citation', 'In [source:memory] we read "needs no evidence at all".', 'failed'],
    ['words in quotation marks', 'The so-called "hot path" is fine [source:state].', 'passed'],
    ['a quotation in another paragraph', '"Nobody ever said that."\n\nIt is so [source:state].', 'passed'],
  ])('judges %s', async (_, answer, status) => {
    expect(await resolve(answer)).toMatchObject({ status })
  })

  it('names each one that does not resolve, with its line', async () => {
    const report = await resolve('A [source:x].\n\nB\nC [source:y], "a b c d" [source:state].')
    const words = wordsOf(report)
    expect(words).toContain('line 1: "x": there is no such document')
    expect(words).toContain('line 4: "y": there is no such document')
    expect(words).toContain('line 4: "a b c d" does not stand in "state"')
  })

  it('wants as many as it is told to', async () => {
    const two = 'A [source:state]. B [source:memory].'
    expect(await resolve(two, { atLeast: 3 })).toMatchObject({ status: 'failed' })
    expect(await resolve('none', { atLeast: 0 })).toMatchObject({ status: 'passed' })
  })

  it('wants a quotation for each where that is asked for, and none where not', async () => {
    expect(await resolve('A [source:state].', { quotes: 'required' })).toMatchObject({ status: 'failed' })
    const wrong = 'They say "state is lost on every restart" [source:state].'
    expect(await resolve(wrong, { quotes: 'ignored' })).toMatchObject({ status: 'passed' })
  })

  it('reads them by a pattern of the user', async () => {
    const pattern = /\{(?<id>\w+):(?<quote>[^}]*)\}/
    expect(await resolve('{state:Durable state is authoritative}', { pattern })).toMatchObject({
      status: 'passed',
    })
    expect(await resolve('{state:Durable state is lost}', { pattern })).toMatchObject({ status: 'failed' })
  })

  it('is an error when the pattern would not end', async () => {
    const slow = { pattern: /(?<id>(a+)+)$/, matchTimeoutMs: 50 }
    expect(await resolve(`${'a'.repeat(60)}b`, slow)).toMatchObject({ status: 'error' })
  })
})

describe('given no sources', () => {
  it.each([
    ['an empty list', []],
    ['a function that gives none', () => []],
    ['a folder that is not there', { folder: 'corpus' }],
  ])('is an error that is not the fault of the work: %s', async (_, none) => {
    const report = await resolve('Four claims [source:a] [source:b].', { documents: none })
    expect(report).toMatchObject({ status: 'error' })
    if (!('folder' in none)) expect(report).toMatchObject({ qualifiers: ['infrastructure'] })
  })

  it('is an error when a function gives nonsense', async () => {
    const twice = () => [...documents, ...documents]
    expect(await resolve('[source:state]', { documents: twice })).toMatchObject({ status: 'error' })
  })
})

describe('given a folder of documents', () => {
  const folder = workFolder()
  const inFolder = (answer: string, options: Partial<CitationsOptions> = {}) =>
    ask(citationsResolve({ documents: { folder: 'corpus' }, ...options }), answer, folder.path)

  it('knows a document by its path, with and without the extension', async () => {
    await folder.write('corpus/deep/note.md', '# Note\n\nIt is so indeed.')
    for (const id of ['deep/note', 'deep/note.md'])
      expect(await inFolder(`"It is so indeed" [source:${id}]`)).toMatchObject({
        status: 'passed',
        evidence: [{ kind: 'file', path: 'corpus/deep/note.md' }],
      })
    expect(await inFolder('[source:note]')).toMatchObject({ status: 'failed' })
  })

  it('does not choose between two documents', async () => {
    await folder.write('corpus/note.md', 'a')
    await folder.write('corpus/note.txt', 'b')
    const report = await inFolder('[source:note]')
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('it may be note.md or note.txt')
    expect(await inFolder('[source:note.txt]')).toMatchObject({ status: 'passed' })
  })

  it('is blocked by an empty folder: no sources', async () => {
    await folder.write('corpus/.keep', '')
    const report = await inFolder('[source:a]')
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(report.reason).toContain('no sources')
  })

  it('does not read what a symlink puts outside', async () => {
    await writeFile(join(folder.path, '..', 'forged.md'), 'Whatever you want it to say.')
    await folder.write('corpus/true.md', 'x')
    await symlink('../../forged.md', join(folder.path, 'corpus', 'forged.md'))
    expect(await inFolder('"Whatever you want it to say" [source:forged]')).toMatchObject({ status: 'error' })
  })

  it('reads a folder outside of the work folder where its path is absolute', async () => {
    await folder.write('corpus/a.md', 'x')
    const absolute = { documents: { folder: join(folder.path, 'corpus') } }
    expect(await ask(citationsResolve(absolute), '[source:a]')).toMatchObject({ status: 'passed' })
    expect(citationsResolve(absolute).inputs).toBeUndefined()
  })
})

describe('given misuse', () => {
  it.each<[Partial<CitationsOptions>]>([
    [{ pattern: /\[(\w+)\]/ }],
    [{ atLeast: -1 }],
    [{ atLeast: 0.5 }],
    [{ minQuoteWords: 0 }],
    [{ documents: { folder: '../corpus' } }],
    [{ documents: [...documents, ...documents] }],
    [{ documents: [{ id: '', text: 'a' }] }],
  ])('refuses %j', (options) => {
    expect(() => citationsResolve({ documents, ...options })).toThrow(UsageError)
  })
})

describe('given the question what its verdict depends on', () => {
  it('names the content of the documents', () => {
    const one = citationsResolve({ documents }).inputs
    const other = citationsResolve({ documents: [{ id: 'state', text: 'else' }] }).inputs
    expect(one?.readsAnswer).toBe(true)
    expect(one?.definition).not.toEqual(other?.definition)
  })

  it('names the files of a folder', () => {
    const { inputs } = citationsResolve({ documents: { folder: 'corpus' }, source: { file: 'out.md' } })
    expect(inputs).toMatchObject({ readsAnswer: false, files: ['out.md', 'corpus/**'] })
  })

  it('cannot say it for a function', () => {
    expect(citationsResolve({ documents: () => documents }).inputs).toBeUndefined()
  })
})
