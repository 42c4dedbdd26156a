import { test } from '@fast-check/vitest'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gitOrWalkWorkspace } from './fingerprint.ts'
import { git, never, newFolder } from '../fixtures/work-tree.ts'

function newRepository(): string {
  const folder = newFolder()
  git(folder, 'init', '--quiet')
  return folder
}

const paths = ['a', 'b c', 'd/e', 'd/f\ng', 'd/i/ü', 'Ä/-h']
const path = fc.constantFrom(...paths)
const content = fc.constantFrom('', 'x', 'y', 'xy', 'yx')
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write'), path, content }),
  fc.record({ kind: fc.constant('append'), path, content }),
  fc.record({ kind: fc.constant('link'), path, content: fc.constantFrom('a', '/etc/passwd', 'nowhere') }),
  fc.record({ kind: fc.constant('executable'), path, content: fc.constantFrom('yes', 'no') }),
  fc.record({ kind: fc.constant('rename'), path, content: path }),
  fc.record({ kind: fc.constant('remove'), path, content: fc.constant('') }),
  fc.record({ kind: fc.constant('touch'), path, content: fc.constant('') }),
  fc.record({ kind: fc.constant('stage'), path, content: fc.constant('') }),
)
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never
interface ModelFile {
  readonly link: boolean
  readonly content: string
  readonly executable: boolean
}

function apply(folder: string, model: Map<string, ModelFile>, { kind, path, content }: Edit): void {
  const file = join(folder, path)
  const known = model.get(path)
  const isFile = known !== undefined && !known.link
  if (kind === 'write' && known?.link !== true) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    model.set(path, { link: false, content, executable: known?.executable ?? false })
  } else if (kind === 'link' && known === undefined) {
    mkdirSync(dirname(file), { recursive: true })
    symlinkSync(content, file)
    model.set(path, { link: true, content, executable: false })
  } else if (kind === 'append' && isFile) {
    appendFileSync(file, content)
    model.set(path, { ...known, content: known.content + content })
  } else if (kind === 'executable' && isFile) {
    chmodSync(file, content === 'yes' ? 0o755 : 0o640)
    model.set(path, { ...known, executable: content === 'yes' })
  } else if (kind === 'rename' && known !== undefined && content !== path) {
    mkdirSync(dirname(join(folder, content)), { recursive: true })
    renameSync(file, join(folder, content))
    model.delete(path)
    model.set(content, known)
  } else if (kind === 'remove') {
    rmSync(file, { force: true })
    model.delete(path)
  } else if (kind === 'touch' && isFile) utimesSync(file, 1_000, 2_000)
}

function canonical(model: ReadonlyMap<string, ModelFile>): string {
  return JSON.stringify([...model].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Every state has one fingerprint, and no two states share one. */
async function checkHistory(folder: string, edits: readonly Edit[], isRepository: boolean): Promise<void> {
  const workspace = gitOrWalkWorkspace(folder)
  const model = new Map<string, ModelFile>()
  const byState = new Map<string, string>()
  const byFingerprint = new Map<string, string>()
  for (const next of edits) {
    if (next.kind === 'stage' && isRepository) git(folder, 'add', '--all')
    apply(folder, model, next)
    const state = canonical(model)
    const seen = await workspace.fingerprint(never)
    expect(seen).toBe(byState.get(state) ?? seen)
    expect(state).toBe(byFingerprint.get(seen) ?? state)
    byState.set(state, seen)
    byFingerprint.set(seen, state)
  }
  expect(await gitOrWalkWorkspace(folder).fingerprint(never)).toBe(await workspace.fingerprint(never))
}

describe('given a folder that is edited', () => {
  const edits = fc.array(edit, { minLength: 1, maxLength: 12 })

  test.prop([edits], { numRuns: 40 })('a walk has one fingerprint for each content', async (history) => {
    await checkHistory(newFolder(), history, false)
  })

  test.prop([edits], { numRuns: 40 })('git has one fingerprint for each content', async (history) => {
    await checkHistory(newRepository(), history, true)
  })

  it.each([newFolder, newRepository])('rejects after an abort', async (make) => {
    await expect(gitOrWalkWorkspace(make()).fingerprint(AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
