import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { bubblewrap } from './bubblewrap.ts'
import { chooseSandbox, noSandbox } from './choose-sandbox.ts'
import { sandboxRuntime } from './sandbox-runtime.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-sandbox-')))
const workFolder = join(base, 'work')
mkdirSync(workFolder)
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** A folder with a program of this name, to be looked for in it alone. */
function programs(folder: string, bwrap: string): { PATH: string } {
  const PATH = join(base, folder)
  mkdirSync(PATH, { recursive: true })
  writeFileSync(join(PATH, 'bwrap'), `#!/bin/sh\n${bwrap}\n`)
  chmodSync(join(PATH, 'bwrap'), 0o755)
  return { PATH }
}

const working = '[ "$1" = --version ] && echo "bubblewrap 9.9.1"; exit 0'
const older =
  'case " $* " in *--disable-userns*) echo "bwrap: Unknown option"; exit 1;; *--version*) echo "bubblewrap 0.6.1";; esac'
const refused =
  '[ "$1" = --version ] && { echo "bubblewrap 0.8.0"; exit 0; }; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1'
const noLibrary = { load: async () => ({}) }

describe('given a machine where bubblewrap', () => {
  it('works: it is chosen, and says what it confines', async () => {
    const sandbox = await chooseSandbox({ workFolder, environment: programs('works', working) })
    expect(sandbox.description).toEqual({
      ...{ driver: 'bubblewrap', isConfined: true, network: 'off' },
      summary: `commands write only in ${workFolder} and a private /tmp, no network (bubblewrap 9.9.1)`,
    })
  })

  it('works: what it confines is what it says, whatever becomes of the options', async () => {
    const options: { workFolder: string; environment: Record<string, string>; network?: 'on' | 'off' } = {
      workFolder,
      environment: programs('asked', working),
    }
    const sandbox = await chooseSandbox(options)
    options.network = 'on'
    const environment = { PATH: '' }
    const confined = await sandbox.confine({ words: ['true'], folder: workFolder, environment })
    expect(confined.kind === 'ready' ? confined.words : []).toContain('--unshare-net')
  })

  it('is older: it is chosen, and says what it cannot do', async () => {
    const options = { workFolder, environment: programs('older', older), network: 'on' } as const
    const { description } = await chooseSandbox({ ...options, wanted: 'bubblewrap' })
    expect(description.summary).toMatch(/WITH the network .*0\.6\.1; this version cannot keep a process from/)
    expect(description.network).toBe('on')
  })

  it.each([
    ['is missing', { PATH: '' }, 'there is no program "bwrap"; install the package bubblewrap'],
    [
      'is not allowed',
      programs('refused', refused),
      'bubblewrap 0.8.0 does not work here: bwrap: setting up uid map: Permission denied; user namespaces are not allowed here',
    ],
    ['says nothing', programs('silent', 'exit 0'), '--version does not tell a version'],
    ['lies where the agent writes', programs('work/bin', working), 'there is no program "bwrap"'],
    ['is found by a relative path', { PATH: '.:bin' }, 'there is no program "bwrap"'],
  ])('%s: nothing is confined where nobody minds, and that is said', async (_, environment, problem) => {
    const options = { workFolder, environment, ...noLibrary }
    const { description } = await chooseSandbox(options)
    expect(description).toMatchObject({ driver: 'off', isConfined: false, network: 'on' })
    expect(description.summary).toContain('NOT CONFINED')
    expect(description.summary).toContain(problem)
    expect(description.summary).toContain('sandbox-runtime is not installed')
    await expect(chooseSandbox({ ...options, wanted: 'bubblewrap' })).rejects.toThrow(UsageError)
    await expect(chooseSandbox({ ...options, wanted: 'bubblewrap' })).rejects.toThrow(problem)
  })
})

describe('given wishes that cannot be met', () => {
  const environment = programs('plain', working)

  it('a driver that is not installed is not replaced by none', async () => {
    const options = { workFolder, environment, ...noLibrary, wanted: 'sandbox-runtime' } as const
    await expect(chooseSandbox(options)).rejects.toThrow('npm install @anthropic-ai/sandbox-runtime')
    expect(await sandboxRuntime({ workFolder, network: 'on' })).toMatchObject({ kind: 'unusable' })
  })

  it.each([
    [{ writableFolders: ['/not/there'] }, 'there is no folder /not/there'],
    [{ writableFolders: ['cache'] }, 'is no absolute path'],
    [{ temporaryFolder: '/not/there' }, 'there is no folder /not/there'],
  ])('%j is refused', async (options, message) => {
    await expect(chooseSandbox({ workFolder, environment, ...options })).rejects.toThrow(UsageError)
    await expect(chooseSandbox({ workFolder, environment, ...options })).rejects.toThrow(message)
  })

  it('a work folder that does not exist yet is waited for: until then nothing runs', async () => {
    const later = join(base, 'later')
    const made = await bubblewrap({ workFolder: later, environment })
    if (made.kind === 'unusable') throw new Error(made.problem)
    const request = { words: ['true'], folder: later, environment: {} } as const
    expect(await made.sandbox.confine(request)).toEqual({
      ...{ kind: 'unavailable', problem: `the work folder ${later} does not exist` },
    })
    mkdirSync(later)
    expect(await made.sandbox.confine(request)).toMatchObject({ kind: 'ready' })
    expect(await made.sandbox.confine({ ...request, folder: join(later, 'no') })).toMatchObject({
      kind: 'unavailable',
    })
    rmSync(later, { recursive: true })
    expect(await made.sandbox.confine(request)).toMatchObject({ kind: 'unavailable' })
  })
})

describe('given no sandbox', () => {
  it('a process is started as it is, and it is said that nothing is confined', async () => {
    const sandbox = await chooseSandbox({ workFolder, wanted: 'off' })
    expect(sandbox.description).toEqual(noSandbox('no sandbox was wanted').description)
    const request = { words: ['a', 'b'], environment: { A: 'b' } } as const
    expect(await sandbox.confine({ ...request, folder: '/' })).toEqual({ kind: 'ready', ...request })
  })
})
