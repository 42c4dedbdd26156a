/** Every part of the key: another value, another key. */
import { describe, expect, it } from 'vitest'
import type { Verifier, VerifierContext, VerifierInputs } from '../../../ports/checks.ts'
import type { Workspace } from '../../../ports/loop.ts'
import { passedVerdict } from '@donecheck/core/testing'
import { verifier } from '../../../testing/index.ts'
import { verdictKey, type KeyRequest } from './verdict-key.ts'

const inputs: VerifierInputs = {
  definition: { kind: 'command', line: 'npm test', timeoutMs: 5 },
  environmentDigest: 'e0',
  readsAnswer: true,
  files: ['src/**'],
}

const context: VerifierContext = {
  runId: 'run-1',
  workFolder: '/srv/tree',
  task: 'mend it',
  finalText: 'done',
  trigger: 'claim',
  turn: 1,
  fingerprint: 'tree-1',
  baseline: passedVerdict('tests'),
}

const workspaceOf = (files: string): Workspace => ({
  folder: '/srv/tree',
  fingerprint: async (_, options) => `${files} ${JSON.stringify(options?.files ?? null)}`,
})

interface Changes {
  readonly name?: string
  readonly inputs?: Partial<VerifierInputs>
  readonly context?: Partial<VerifierContext>
  readonly request?: Partial<KeyRequest>
  readonly files?: string
}

function keyOf(changes: Changes = {}): Promise<string | undefined> {
  const asked: Verifier = {
    ...verifier(changes.name ?? 'tests', () => ({ status: 'passed' })),
    inputs: { ...inputs, ...changes.inputs },
  }
  return verdictKey({
    verifier: asked,
    context: { ...context, ...changes.context },
    tree: {
      folder: '/srv/tree',
      kind: 'work-folder',
      variant: 'work-folder',
      report: null,
      dispose: async () => undefined,
    },
    workspace: workspaceOf(changes.files ?? 'files-1'),
    ignored: 'ignored-1',
    signal: new AbortController().signal,
    ...changes.request,
  })
}

const wholeTree = { files: undefined } as const
const tree = {
  folder: '/tmp/copy',
  kind: 'independent-tree',
  report: null,
  dispose: async () => undefined,
} as const

describe('given equal inputs', () => {
  it('the key is equal', async () => {
    expect(await keyOf()).toBe(await keyOf())
    expect(await keyOf()).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('given another value of one part', () => {
  const rows: readonly (readonly [part: string, changed: Changes, from: Changes])[] = [
    ['the verifier', { name: 'lint' }, {}],
    [
      'the command line',
      { inputs: { definition: { kind: 'command', line: 'npm run t', timeoutMs: 5 } } },
      {},
    ],
    ['an option', { inputs: { definition: { kind: 'command', line: 'npm test', timeoutMs: 6 } } }, {}],
    ['the environment', { inputs: { environmentDigest: 'e1' } }, {}],
    ['no environment', { inputs: { environmentDigest: undefined } }, {}],
    ['the declared globs', { inputs: { files: ['src/**', 'lib/**'] } }, {}],
    ['the whole tree instead of globs', { inputs: wholeTree }, {}],
    ['the declared files', { files: 'files-2' }, {}],
    ['the tree', { inputs: wholeTree, context: { fingerprint: 'tree-2' } }, { inputs: wholeTree }],
    ['what the tree leaves out', { inputs: wholeTree, request: { ignored: 'i2' } }, { inputs: wholeTree }],
    ['what the guard put back', { request: { tree: { ...tree, variant: 'restored:1' } } }, {}],
    ['the answer', { context: { finalText: 'finished' } }, {}],
    ['the task', { context: { task: 'build it' } }, {}],
    [
      'what it said before the first turn',
      { context: { baseline: passedVerdict('tests', { reason: 'other' }) } },
      {},
    ],
    ['that it was not asked then', { context: { baseline: undefined } }, {}],
    ['the run', { context: { runId: 'run-2' } }, {}],
  ]

  it.each(rows)('%s: another key', async (_, changed, from) => {
    const key = await keyOf(changed)
    expect(key).toBeDefined()
    expect(key).not.toBe(await keyOf(from))
  })
})

describe('given nothing that could be trusted', () => {
  it.each<readonly [string, Changes]>([
    ['the tree could not be read', { inputs: wholeTree, context: { fingerprint: 'unreadable' } }],
    ['the tree is not known', { inputs: wholeTree, context: { fingerprint: undefined } }],
    ['it is the baseline tree', { context: { trigger: 'baseline' } }],
    ['there is no folder to look for declared files in', { request: { workspace: null } }],
  ])('%s: no key', async (_, changes) => {
    expect(await keyOf(changes)).toBeUndefined()
  })
})
