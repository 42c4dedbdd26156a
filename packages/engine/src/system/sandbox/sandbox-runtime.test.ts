import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxRuntime } from './sandbox-runtime.ts'

const workFolder = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-runtime-')))
afterAll(() => rmSync(workFolder, { recursive: true, force: true }))

interface Settings {
  readonly network: { readonly allowedDomains: readonly string[] }
  readonly filesystem: { readonly allowWrite: readonly string[]; readonly denyRead: readonly string[] }
}

/** A library of the known shape that starts every command as it says. */
function library(argvOf: (command: string) => readonly string[]) {
  const seen: Settings[] = []
  let cleanedUp = 0
  const manager = {
    wrapWithSandboxArgv: async (command: string, _: undefined, settings: Settings) => {
      seen.push(settings)
      return { argv: argvOf(command), env: {} }
    },
    cleanupAfterCommand: () => {
      cleanedUp += 1
    },
  }
  return { seen, cleanedUp: () => cleanedUp, load: async () => ({ SandboxManager: manager }) }
}

describe('given the library', () => {
  it('one that confines is used: quoted words, no network, no secrets, a temporary folder that goes away', async () => {
    const { load, seen, cleanedUp } = library((command) =>
      command.includes('begun') ? ['echo', 'begun'] : ['bash', '-c', command],
    )
    const made = await sandboxRuntime({ workFolder, load })
    if (made.kind === 'unusable') throw new Error(made.problem)
    expect(made.sandbox.description).toMatchObject({
      driver: 'sandbox-runtime',
      isConfined: true,
      network: 'off',
    })
    const environment = { PATH: '/bin', API_KEY: 'secret' }
    const ready = await made.sandbox.confine({ words: ['echo', "it's; a"], folder: workFolder, environment })
    if (ready.kind === 'unavailable') throw new Error(ready.problem)
    expect(ready.words).toEqual(['bash', '-c', String.raw`'echo' 'it'\''s; a'`])
    const temporary = ready.environment['TMPDIR'] ?? ''
    expect(ready.environment).toEqual({ PATH: '/bin', TMPDIR: temporary, GOCACHE: `${temporary}/go-build` })
    expect(seen.at(-1)).toMatchObject({
      network: { allowedDomains: [] },
      filesystem: { allowWrite: [workFolder, temporary] },
    })
    expect(existsSync(temporary)).toBe(true)
    const before = cleanedUp()
    await ready.release?.()
    expect(existsSync(temporary)).toBe(false)
    expect(cleanedUp()).toBe(before + 1)
  })

  it.each([
    [
      'one that confines nothing',
      (command: string) => ['sh', '-c', command],
      /could be written|network is there/,
    ],
    ['one whose program is missing', () => ['/no/such/program'], /there is no program/],
    ['one that gives no words', () => [], /Too small|invalid/i],
  ])('%s is not used', async (_, argvOf, problem) => {
    const made = await sandboxRuntime({ workFolder, load: library(argvOf).load })
    expect(made).toMatchObject({ kind: 'unusable', problem: expect.stringMatching(problem) as string })
  })

  it.each([
    ['is missing', async () => Promise.reject(new Error('not found'))],
    ['is another one', async () => ({ SandboxManager: {} })],
    ['is nothing', async () => null],
  ])('where it %s, it is said how to get it', async (_, load) => {
    const made = await sandboxRuntime({ workFolder, load })
    expect(made).toMatchObject({
      kind: 'unusable',
      problem: expect.stringContaining('npm install') as string,
    })
  })

  it('a folder that is not there is unavailable, and so is what the library refuses', async () => {
    let isRefusing = false
    const { load } = library(() => {
      if (isRefusing) throw new Error('too many rules')
      return ['echo', 'begun']
    })
    const made = await sandboxRuntime({ workFolder, load })
    if (made.kind === 'unusable') throw new Error(made.problem)
    const request = { words: ['true'], environment: {} } as const
    expect(await made.sandbox.confine({ ...request, folder: '/not/there' })).toMatchObject({
      kind: 'unavailable',
    })
    isRefusing = true
    expect(await made.sandbox.confine({ ...request, folder: workFolder })).toEqual({
      ...{ kind: 'unavailable', problem: 'too many rules' },
    })
  })
})
