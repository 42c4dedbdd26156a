import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, prepared, waitingSource, wordsOf } from './fixtures/ask.ts'
import { workFolder } from './fixtures/work-folder.ts'
import { citations } from './citations.ts'

const says = (text: string) => ({ value: () => text })

const given = (verifier: Verifier) =>
  prepared(verifier, (folder) => writeFile(join(folder, 'note.md'), 'Resume from a known-good point.'))

verifierContract('citations', {
  passing: () =>
    given(citations({ sources: ['*.md'], source: says('- "a known-good point" [source: note]') })),
  failing: () => given(citations({ sources: ['*.md'], source: says('- no source at all') })),
  makeUndecided: () => given(citations({ sources: ['*.md'], source: brokenSource })),
  hanging: (onStart) => given(citations({ sources: ['*.md'], source: waitingSource(onStart) })),
})

describe('given a report about sources in a folder', () => {
  const folder = workFolder()
  const verifier = () => citations({ sources: ['notes/**/*.md'] })
  const answerOf = (answer: string) => ask(verifier(), answer, folder.path)

  it('passes where the words stand in what is named, by path or by a name that is the only one', async () => {
    await folder.write('notes/state.md', 'SQLite state\nsurvives restarts.')
    await folder.write('notes/memory.md', 'Memory may be stale.')
    const report = await answerOf(
      '# Report\n- It "survives restarts" [source: state].\n- "may be stale" [source: notes/memory.md, state]',
    )
    expect(report).toMatchObject({ status: 'passed', reason: '2 claims are found in 2 sources' })
    expect(report.evidence).toContainEqual(expect.objectContaining({ kind: 'file', path: 'notes/state.md' }))
  })

  it.each([
    ['- It survives restarts', 'names no source'],
    ['- "survives restarts" [source: nowhere]', 'there is no source "nowhere"'],
    [
      'See "survives restarts" at <https://example.org/state>',
      'there is no source "https://example.org/state"',
    ],
    ['- "is made up" [source: state]', '"is made up" does not stand in state'],
    ['- It survives restarts [source: state]', 'quotes nothing of its source'],
    ['- "may be stale" [source: state]', 'does not stand in state'],
    ['No claim at all.', 'makes no claim'],
    ['', 'makes no claim'],
    ['1. "may be stale"', 'names no source'],
  ])('fails %j', async (answer, problem) => {
    await folder.write('notes/state.md', 'survives restarts')
    await folder.write('notes/memory.md', 'may be stale')
    const report = await answerOf(answer)
    expect(report.status).toBe('failed')
    expect(wordsOf(report)).toContain(problem)
  })

  it.each([
    '* “survives restarts” [source: state]',
    '- It ‘survives’ "survives\u00a0restarts" [sources: memory, state]',
    'So ["survives restarts"](notes/state.md#L1) it is.',
    '- "survives restarts" [source: ./notes/state.md]\n```\n- no claim in a fence\n```',
    '- "known-good" [source: state]',
  ])('understands %j', async (answer) => {
    await folder.write('notes/state.md', 'a known‑good point\nsurvives\n  restarts')
    await folder.write('notes/memory.md', 'may be stale')
    expect(await answerOf(answer)).toMatchObject({ status: 'passed' })
  })

  it('does not take one of two that are called so', async () => {
    await folder.write('notes/a/state.md', 'survives')
    await folder.write('notes/b/state.md', 'survives')
    const report = await answerOf('- "survives" [source: state]')
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('notes/a/state.md, notes/b/state.md')
  })

  it('does not read what is not listed, although it is there', async () => {
    await folder.write('notes/state.md', 'survives')
    await folder.write('secret.md', 'survives')
    expect(await answerOf('- "survives" [source: secret.md]')).toMatchObject({ status: 'failed' })
    expect(await answerOf('- "survives" [source: ../secret.md]')).toMatchObject({ status: 'failed' })
  })

  it('is an error where there is no source at all, however many are cited', async () => {
    const report = await answerOf('- "survives restarts" [source: state]')
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('nothing matches notes/**/*.md')
  })

  it('lets a claim stand without quoted words only where that is said', async () => {
    await folder.write('notes/state.md', 'survives')
    const lenient = citations({ sources: ['notes/*.md'], quotes: 'optional' })
    expect(await ask(lenient, '- It survives [source: state]', folder.path)).toMatchObject({
      status: 'passed',
    })
    const madeUp = await ask(lenient, '- It "never ends" [source: state]', folder.path)
    expect(madeUp).toMatchObject({ status: 'failed' })
  })
})

describe('given misuse', () => {
  it.each([[[]], [['../outside/*.md']], [['https://example.org/report']]])(
    'refuses the sources %j',
    (sources) => {
      expect(() => citations({ sources })).toThrow(UsageError)
    },
  )
})
