import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Verifier, VerifierContext, VerifierReport } from '../../ports/checks.ts'
import { faultTrial } from './fault-trial.ts'
import { project, read } from './fixtures/guarded-run.ts'
import { git, never, newFolder, newRepository, put } from './fixtures/work-tree.ts'

const files = { ...project, 'README.md': 'A sum.' }

/** Tries a check that answers by the folder that it is asked about. */
function trial(
  verify: (folder: string) => VerifierReport['status'],
  {
    workFolder = newRepository(files),
    line = 'npm test',
    ...more
  }: Partial<Parameters<typeof faultTrial>[0]> & {
    line?: string
  } = {},
) {
  const folders: string[] = []
  const check: Verifier = {
    description: {
      ...{ name: 'check', required: true, weight: 1, deterministic: true },
      ...{ reads: 'workspace', role: 'check' },
    },
    async verify({ workFolder: folder }) {
      folders.push(folder ?? '')
      const status = verify(folder ?? '')
      return Promise.resolve({ status, reason: `it ${status}`, canRetry: true, qualifiers: [], evidence: [] })
    },
  }
  const context: VerifierContext = {
    ...{ runId: 'run-1', workFolder, task: 'make it green', finalText: 'It is done.', trigger: 'claim' },
    ...{ turn: 3, fingerprint: 'f', baseline: undefined },
  }
  const options = { workFolder, snapshotFolder: newFolder, maxMs: 60_000, ...more }
  const result = faultTrial(options).tryToFail(check, line, context, never)
  return { folders, result }
}

const isAsBefore = (path: keyof typeof files) => (folder: string) =>
  existsSync(`${folder}/${path}`) && read(folder, path) === files[path] ? 'passed' : 'failed'

describe('given a check that was never seen to fail', () => {
  it.each([
    ['reads a source', 'sum.js', 'every source file made unreadable'],
    ['reads only prose', 'README.md', 'every product file deleted'],
  ] as const)('sees it red if it %s', async (_, path, fault) => {
    const { result, folders } = trial(isAsBefore(path))
    expect(await result).toEqual({ kind: 'red', fault })
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })

  it.each(['test/sum.test.js', '.gitignore'] as const)('leaves %s as it is', async (path) => {
    expect(await trial(isAsBefore(path)).result).toEqual({ kind: 'green' })
  })

  it('leaves what is protected and the scripts of checks as they are', async () => {
    const workFolder = newRepository({ ...files, 'golden.js': 'g', 'look.js': 'l', 'other.js': 'o' })
    const own = { protect: ['golden.js'], checkCommands: ['node other.js'], line: 'node look.js' }
    const isWhole = (folder: string) =>
      ['golden.js', 'look.js', 'other.js'].every((path) => read(folder, path).length === 1)
    const { result, folders } = trial((folder) => (isWhole(folder) ? 'passed' : 'failed'), {
      workFolder,
      ...own,
    })
    expect(await result).toEqual({ kind: 'green' })
    expect(folders).toHaveLength(2)
    expect(git(workFolder, 'status', '--porcelain')).toBe('')
  })

  it('knows nothing if the check cannot run in the copy', async () => {
    expect(await trial(() => 'error').result).toEqual({ kind: 'undecided', reason: 'it error' })
    const thrown = trial(() => {
      throw new Error('no database')
    })
    expect(await thrown.result).toEqual({ kind: 'undecided', reason: 'no database' })
  })

  it.each([
    '.venv/lib/python3.11/site-packages/shop.pth',
    'venv/lib/python3.12/site-packages/__editable___shop.py',
  ])('knows nothing where %s makes the check read the work folder', async (path) => {
    const workFolder = newRepository(files)
    put(workFolder, { [path]: `${workFolder}/src\n` })
    expect(await trial(() => 'passed', { workFolder }).result).toMatchObject({ kind: 'undecided' })
    put(workFolder, { [path]: '/usr/lib/python3/dist-packages\n' })
    expect(await trial(() => 'passed', { workFolder }).result).toEqual({ kind: 'green' })
  })

  it('has nothing to break without a source', async () => {
    const { result, folders } = trial(() => 'failed', {
      workFolder: newRepository({ 'README.md': 'A sum.' }),
    })
    expect(await result).toEqual({ kind: 'nothing-to-break' })
    expect(folders).toEqual([])
  })
})
