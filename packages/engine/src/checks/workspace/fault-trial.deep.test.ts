import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { VerifierResult } from '../../ports/checks.ts'
import { givenRun, project, read } from './fixtures/guarded-run.ts'
import { report } from './fixtures/sum-check.ts'
import { git, never, newRepository, put } from './fixtures/work-tree.ts'

const files = { ...project, 'README.md': 'A sum.' }

/** Tries a check that answers by the folder that it is asked about. */
function trial(
  verify: (folder: string) => VerifierResult['status'],
  { workFolder = newRepository(files), line = 'npm test', ...more }: Partial<Given> = {},
) {
  const folders: string[] = []
  const run = givenRun({ workFolder, ...more })
  const ask = (folder: string) => {
    folders.push(folder)
    const status = verify(folder)
    return Promise.resolve({ ...report(status, []), reason: `it ${status}` })
  }
  const tryIt = async () => {
    await run.prepare('baseline')
    const { deciding } = await run.prepare('claim')
    return deciding?.tryToFail(line, ask, never)
  }
  return { folders, result: tryIt() }
}

type Given = Parameters<typeof givenRun>[0] & { readonly line: string }

const isAsBefore = (path: keyof typeof files) => (folder: string) =>
  existsSync(`${folder}/${path}`) && read(folder, path) === files[path] ? 'passed' : 'failed'

describe('given a check that was never seen to fail', () => {
  it.each([
    ['reads a source', 'sum.js', 'every source file made unreadable'],
    ['reads only prose', 'README.md', 'every product file deleted'],
  ] as const)('sees it red if it %s', async (_, path, fault) => {
    const { result, folders } = trial(isAsBefore(path))
    expect(await result).toEqual({ kind: 'red', fault })
    expect(folders).not.toContain('')
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
  })

  it('looks at packages of the room where an editable install names the work folder', async () => {
    const workFolder = newRepository({ ...files, '.gitignore': '.venv\n' })
    const path = '.venv/lib/python3.11/site-packages/shop.pth'
    put(workFolder, { [path]: `${workFolder}/src\n` })
    const isOfRoom = (folder: string) => (read(folder, path) === `${folder}/src\n` ? 'passed' : 'failed')
    expect(await trial(isOfRoom, { workFolder }).result).toEqual({ kind: 'green' })
  })

  it('has nothing to break without a source', async () => {
    const { result, folders } = trial(() => 'failed', {
      workFolder: newRepository({ 'README.md': 'A sum.' }),
    })
    expect(await result).toEqual({ kind: 'nothing-to-break' })
    expect(folders).toEqual([])
  })
})
