import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from '../text/fixtures/ask.ts'
import { workFolder } from '../text/fixtures/work-folder.ts'
import { citations } from './citations.ts'

let server: Server
let page = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    response.statusCode = request.url === '/page' ? 200 : 404
    response.end('<p>Checkpoints resume from a known-good point.</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  page = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/page`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const says = (text: string) => ({ value: () => text })

verifierContract('citations', {
  passing: () => citations({ sources: [page], source: says(`- "a known-good point" [source: ${page}]`) }),
  failing: () => citations({ sources: [page], source: says('- no source at all') }),
  makeUndecided: () => citations({ sources: [page], source: brokenSource }),
  hanging: (onStart) => citations({ sources: [page], source: waitingSource(onStart) }),
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
    expect(wordsOf(report)).toContain('"survives restarts" stands in notes/state.md:2:1-2:17')
  })

  it.each([
    ['- It survives restarts', 'names no source'],
    ['- "survives restarts" [source: nowhere]', 'there is no source "nowhere"'],
    ['- "is made up" [source: state]', '"is made up" does not stand in state'],
    ['- It survives restarts [source: state]', 'quotes nothing of its source'],
    ['- "may be stale" [source: state]', 'does not stand in state'],
    ['No claim at all.', 'makes no claim'],
    ['', 'makes no claim'],
  ])('fails %j', async (answer, problem) => {
    await folder.write('notes/state.md', 'survives restarts')
    await folder.write('notes/memory.md', 'may be stale')
    const report = await answerOf(answer)
    expect(report.status).toBe('failed')
    expect(wordsOf(report)).toContain(problem)
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

describe('given addresses', () => {
  it('reads the one that is listed, without its place in the page', async () => {
    const report = await ask(citations({ sources: [page] }), `See [it](${page}#top): "known-good point"`)
    expect(report).toMatchObject({ status: 'passed' })
  })

  it('asks no other', async () => {
    const report = await ask(citations({ sources: [page] }), `- "known" [source: ${page}/other]`)
    expect(report).toMatchObject({ status: 'failed' })
  })

  it('is an error where the listed one is gone', async () => {
    const gone = page.replace('/page', '/gone')
    const report = await ask(citations({ sources: [gone] }), `- "known" [source: ${gone}]`)
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toContain('404')
  })
})

describe('given misuse', () => {
  it.each([[[]], [['../outside/*.md']], [['http://']]])('refuses the sources %j', (sources) => {
    expect(() => citations({ sources })).toThrow(UsageError)
  })
})
