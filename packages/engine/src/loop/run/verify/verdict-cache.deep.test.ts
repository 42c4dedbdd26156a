/** No stale verdict is reused, whichever input of it changes. */
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  lstatSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import type { Verifier, VerifierInputs } from '../../../ports/checks.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { begin, stage } from '../../../testing/index.ts'
import { gitOrWalkWorkspace } from '../../../system/trees/index.ts'
import { observe } from './trees.ts'
import { verify } from './verify.ts'
import { newFolder } from './fixtures/temporary-folder.ts'

/** Everything a check could see of a folder. */
function everythingIn(folder: string, inside = ''): string {
  return readdirSync(join(folder, inside))
    .filter((name) => name !== '.git')
    .sort()
    .map((name) => {
      const path = join(inside, name)
      const stats = lstatSync(join(folder, path))
      if (stats.isDirectory()) return everythingIn(folder, path)
      if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(join(folder, path))}\n`
      return `${path} ${stats.mode & 0o100} ${readFileSync(join(folder, path), 'latin1')}\n`
    })
    .join('')
}

interface Truth {
  environment: string
  option: string
}

/** Its verdict is a digest of all inputs, so that a stale one is noticed. */
function truthful(folder: string, truth: Truth, calls: { count: number }): Verifier {
  const inputs = (): VerifierInputs => ({
    definition: { kind: 'truth', option: truth.option },
    environmentDigest: truth.environment,
  })
  return {
    description: {
      name: 'truth',
      required: true,
      weight: 1,
      deterministic: true,
      reads: 'workspace',
      role: 'check',
    },
    get inputs() {
      return inputs()
    },
    verify: async () => {
      calls.count += 1
      const seen = digest(folder, truth)
      const status = Number.parseInt(seen.slice(0, 2), 16) % 2 === 0 ? 'passed' : 'failed'
      return { status, reason: seen, canRetry: true, qualifiers: [], evidence: [] }
    },
  }
}

function digest(folder: string, { environment, option }: Truth): string {
  return createHash('sha256').update(everythingIn(folder)).update(environment).update(option).digest('hex')
}

async function rig(folder: string, remembers: boolean) {
  const truth: Truth = { environment: 'e0', option: 'o0' }
  const calls = { count: 0 }
  const workspace = gitOrWalkWorkspace(folder)
  const scene = {
    agent: scriptedAgent([]),
    verifiers: [truthful(folder, truth, calls)],
    workspace,
    checking: { verdicts: remembers ? memoryStore() : null },
  }
  const { session, world, events } = stage(scene)
  await begin(session, scene)
  await observe(session, world)
  const ask = async (): Promise<Verdict | undefined> => {
    await observe(session, world)
    await verify({ kind: 'verify', trigger: 'turn', verifiers: ['truth'] }, session, world)
    const given = events.filter((event) => event.type === 'verdict-given').at(-1)
    return given?.type === 'verdict-given' ? given.verdict : undefined
  }
  return { ask, truth, calls }
}

/** Park and Miller's generator, to reproduce failures. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const names = ['a.ts', 'lib/b.ts', 'lib/deep/c.txt', 'run.sh']

function mutate(folder: string, truth: Truth, random: (below: number) => number): void {
  const file = join(folder, names[random(names.length)] ?? '')
  const content = `v${random(4)}`
  mkdirSync(dirname(file), { recursive: true })
  switch (random(9)) {
    case 0:
    case 1:
      rmSync(file, { force: true })
      writeFileSync(file, content)
      return
    case 2:
      rmSync(file, { force: true })
      return
    case 3:
      rmSync(file, { force: true })
      symlinkSync(content, file)
      return
    case 4:
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true)
        chmodSync(file, statSync(file).mode ^ 0o100)
      return
    case 5:
      truth.environment = `e${random(2)}`
      return
    case 6:
      truth.option = `o${random(2)}`
      return
    case 7:
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) {
        const { atime, mtime, size } = statSync(file)
        // Same length and modification time, so that only the content differs.
        writeFileSync(file, 'x'.repeat(size))
        utimesSync(file, atime, mtime)
      }
      return
    default:
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
        renameSync(file, join(folder, `moved-${random(2)}`))
  }
}

describe('given 1,000 changes of what a verdict depends on', () => {
  it('no verdict is stale, and those that are taken again are marked', async () => {
    const folder = newFolder()
    const { ask, truth, calls } = await rig(folder, true)
    const random = randomOf(20_261_121)
    let [stale, cached] = [0, 0]
    for (let step = 0; step < 1_000; step += 1) {
      mutate(folder, truth, random)
      const before = calls.count
      const verdict = await ask()
      const isCached = verdict?.qualifiers.includes('cached') ?? false
      if (verdict?.reason.startsWith(digest(folder, truth)) !== true) stale += 1
      if (isCached) cached += 1
      // Runs again if the same tree gave another result in another environment.
      expect(calls.count > before).toBe(!isCached)
    }
    expect(stale).toBe(0)
    expect(cached).toBeGreaterThan(100)
  })

  it('in a repository too, with a nested one and ignored files', async () => {
    const folder = newFolder()
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    mkdirSync(join(folder, 'nested'))
    execFileSync('git', ['init', '--quiet'], { cwd: join(folder, 'nested') })
    const { ask, truth } = await rig(folder, true)
    const random = randomOf(7)
    for (let step = 0; step < 60; step += 1) {
      mutate(step % 3 === 0 ? join(folder, 'nested') : folder, truth, random)
      const verdict = await ask()
      expect(verdict?.reason.startsWith(digest(folder, truth))).toBe(true)
    }
  })
})

describe('given nothing that changed', () => {
  it('switched off, there is', async () => {
    const { ask, calls } = await rig(newFolder(), false)
    await ask()
    await ask()
    expect(calls.count).toBe(2)
  })
})
