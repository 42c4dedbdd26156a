import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import {
  createAgentLoop,
  rememberBaseline,
  type AgentLoopOptions,
} from '@donecheck/engine/internal/loop/compose'
import { command } from '@donecheck/engine/verify'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { memoryStore, scriptedAgent, type ScriptedStep } from '@donecheck/engine/testing'
import { readCredentials } from './git.ts'
import { startGitHost } from './fixtures/git-host.ts'
import { git, newPlace, newRepository, removePlaces } from './fixtures/places.ts'
import { runFolders, type RunFolder, type FolderPlace } from './run-folders.ts'

afterEach(removePlaces)

const runId = '01J00000000000000000000000'
const never = new AbortController().signal

function repository(): string {
  return newRepository({ 'check.sh': 'test -f done\n', '.gitignore': 'installed\n', product: 'old\n' })
}

/** An agent with one action per turn; a resumed run continues with the next action. */
function loopOptions(place: FolderPlace, store: Store, turns: readonly (() => unknown)[]) {
  const agent = scriptedAgent(
    turns.map((work): ScriptedStep => async () => {
      await work()
      return { text: 'Done.' }
    }),
  )
  return {
    agent,
    workFolder: place.folder,
    store,
    guard: { snapshotFolder: place.snapshotFolder },
    hardVerifiers: [command('sh check.sh')],
    hardCap: { iterations: 3 },
  } satisfies AgentLoopOptions
}

function prepare(
  root: string,
  url: string,
  store: Store,
  rememberBase: (place: FolderPlace) => Promise<void> = () => Promise.resolve(),
) {
  const folders = runFolders({ folder: root, credentials: [] })
  return folders.prepare(
    { repository: { url, revision: 'main' } },
    { runId, store, signal: never, rememberBase },
  )
}

/** The store after a worker was killed at that event. */
async function storeAsOf(store: Store, isLast: (event: RunEvent) => boolean): Promise<Store> {
  const events = await store.read(runId)
  const left = memoryStore()
  await left.append(0, events.slice(0, events.findIndex(isLast) + 1), null)
  for (const attachment of await store.attachmentsOf(runId)) await left.attach(runId, attachment)
  return left
}

/** Begins the run; the tree is kept at the end of its first turn. */
async function begin(folder: RunFolder, store: Store, turns: readonly [() => void, () => void]) {
  const kept = Promise.withResolvers<undefined>()
  const [first, second] = turns
  const later = async () => {
    await kept.promise
    second()
  }
  for await (const event of createAgentLoop(loopOptions(folder, store, [first, later])).run('make it done', {
    runId,
  }))
    if (event.type === 'turn-ended' && event.turn === 1) {
      expect(await folder.keep(event.sequence)).toBeUndefined()
      kept.resolve(undefined)
    }
}

const isSecondCall = (event: RunEvent) => event.type === 'model-called' && event.turn === 2

describe('given a run whose worker is lost in its second turn', () => {
  it('then another one goes on from the tree after the first, and the run is told what is gone', async () => {
    const [root, url, store] = [newPlace(), repository(), memoryStore()]
    const one = await prepare(root, url, store)
    const at = (name: string) => join(one.folder, name)
    await begin(one, store, [
      () => {
        writeFileSync(at('product'), 'new\n')
        mkdirSync(at('installed'))
      },
      () => writeFileSync(at('lost'), ''),
    ])
    const left = await storeAsOf(store, isSecondCall)
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })

    const turns = [() => undefined, () => writeFileSync(at('done'), '')]
    const other = await prepare(root, url, left, (place) =>
      rememberBaseline(loopOptions(place, left, turns), runId),
    )
    expect(other.folder).toBe(one.folder)
    expect(other.notice).toMatch(
      /^The machine that you worked on was lost\..* after turn 1: what was changed/,
    )
    expect(readFileSync(at('product'), 'utf8')).toBe('new\n')
    expect([existsSync(at('lost')), existsSync(at('installed'))]).toEqual([false, false])
    const { notice = '' } = other
    const run = await createAgentLoop(loopOptions(other, left, turns)).open({ kind: 'resume', runId, notice })
    let end = await run.step()
    while (end.kind === 'stepped') end = await run.step()
    await run.close()
    expect(end).toMatchObject({ kind: 'stopped', transition: { outcome: 'verified' } })
    const types = (await left.read(runId)).map(({ type }) => type)
    const woken = types.slice(types.lastIndexOf('run-resumed'))
    expect(woken.indexOf('agent-steered')).toBeLessThan(woken.indexOf('model-called'))
    expect(woken).toContain('finding-noted')

    const events = await left.read(runId)
    await other.keep(events.length)
    const result = await other.deliver(events)
    expect(result.delivery).toMatchObject({ kind: 'branch', branch: `donecheck/${runId}` })
    expect(git(url, 'diff', '--name-status', 'main', `donecheck/${runId}`)).toBe('A\tdone\nM\tproduct')
    const tree = git(url, 'rev-parse', `donecheck/${runId}^{tree}`)
    expect(JSON.stringify(result.receipt)).toContain(`"gitTree":"${tree}"`)
    expect(await other.deliver(events)).toEqual(result)
    const trees = (await left.attachmentDigests(runId)).filter((digest) => digest.startsWith('fleet-tree-'))
    expect(trees).toEqual([`fleet-tree-${events.length}`])
    await other.remove()
    expect(readdirSync(join(root, 'runs'))).toEqual([])
  })

  it('then its checks are still compared with the base, not with what the first worker left', async () => {
    const [root, url, store] = [newPlace(), repository(), memoryStore()]
    const one = await prepare(root, url, store)
    await begin(one, store, [() => writeFileSync(join(one.folder, 'check.sh'), 'exit 0\n'), () => undefined])
    const left = await storeAsOf(store, isSecondCall)
    await one.remove()
    const idle = [() => undefined, () => undefined]
    const other = await prepare(root, url, left, (place) =>
      rememberBaseline(loopOptions(place, left, idle), runId),
    )
    const { verdicts } = await createAgentLoop(loopOptions(other, left, idle)).resume(runId)
    expect(readFileSync(join(other.folder, 'check.sh'), 'utf8')).toBe('exit 0\n')
    // It passes only with the changed checks, so it waits for approval.
    expect(verdicts.map(({ verifier, status }) => [verifier, status])).toEqual([
      ['tamper guard', 'passed'],
      ['sh check.sh', 'pending'],
    ])
  })
})

describe('given a request that names a folder of the machine', () => {
  it('then it is worked in as it is, but none that other runs have theirs in', async () => {
    const [root, own, store] = [newPlace(), newPlace(), memoryStore()]
    const folders = runFolders({ folder: root, credentials: [] })
    const place = { runId, store, signal: never, rememberBase: () => Promise.resolve() }
    expect(await folders.prepare({ folder: own }, place)).toMatchObject({ folder: own })
    mkdirSync(join(root, 'runs', 'another', 'work'), { recursive: true })
    for (const folder of [root, dirname(root), '/', join(root, 'runs', 'another', 'work')])
      await expect(folders.prepare({ folder }, place)).rejects.toThrow('one in the other')
  })
})

describe('given a worker that comes back after others have ended its runs', () => {
  it('then what it has of them is removed, whatever they left in it, and what goes on stays', async () => {
    const [root, url, store] = [newPlace(), repository(), memoryStore()]
    const folders = runFolders({ folder: root, credentials: [] })
    await folders.removeEnded(() => Promise.resolve(true))
    const { folder } = await prepare(root, url, store)
    const ended = join(root, 'runs', 'ended')
    mkdirSync(join(ended, 'work', 'closed'), { recursive: true })
    writeFileSync(join(ended, 'work', 'closed', 'file'), '')
    chmodSync(join(ended, 'work', 'closed'), 0o500)
    await folders.removeEnded((runId) => Promise.resolve(runId === 'ended'))
    expect(existsSync(ended)).toBe(false)
    expect(existsSync(join(folder, 'product'))).toBe(true)
  })
})

describe('given a repository that only the worker may read', () => {
  it('then it is cloned and pushed to by the credential, which is nowhere that a run could find it', async () => {
    const [root, url, store] = [newPlace(), repository(), memoryStore()]
    git(url, 'config', 'http.receivepack', 'true')
    await using host = await startGitHost(dirname(url), 'worker:s3cret-t0ken')
    const address = `${host.url}/${basename(url)}/.git`
    const credentials = readCredentials(host.url.replace('://', '://worker:s3cret-t0ken@'))
    const folders = runFolders({ folder: root, credentials })
    const one = await folders.prepare(
      { repository: { url: address, revision: 'main' } },
      { runId, store, signal: never, rememberBase: () => Promise.resolve() },
    )
    await begin(one, store, [() => writeFileSync(join(one.folder, 'done'), ''), () => undefined])
    const { delivery } = await one.deliver(await store.read(runId))
    expect(delivery).toMatchObject({ kind: 'branch' })
    const found = (text: string) =>
      execFileSync('grep', ['-rlF', '-e', text, root, '-s'], { encoding: 'utf8' })
    expect(() => found('s3cret-t0ken')).toThrow()
    expect(() => found(btoa('worker:s3cret-t0ken'))).toThrow()
    expect(git(one.folder, 'remote')).toBe('')
    expect(git(one.folder, 'config', '--local', '--list')).not.toMatch(/credential|url|include/)
    expect(JSON.stringify(await store.attachmentsOf(runId))).not.toContain('s3cret-t0ken')
  })

  it('then another host is told nothing, and the address of one is no place for a secret', async () => {
    const [root, url, store] = [newPlace(), repository(), memoryStore()]
    await using host = await startGitHost(dirname(url), 'worker:s3cret-t0ken')
    const credentials = readCredentials('https://worker:s3cret-t0ken@github.example')
    const folders = runFolders({ folder: root, credentials })
    const place = { runId, store, signal: never, rememberBase: () => Promise.resolve() }
    const at = (address: string) => folders.prepare({ repository: { url: address, revision: 'main' } }, place)
    await expect(at(`${host.url}/${basename(url)}/.git`)).rejects.toThrow(/Authentication failed/)
    expect(host.authorizations.filter((one) => one?.includes(btoa('worker:s3cret-t0ken')) === true)).toEqual(
      [],
    )
    await expect(at('https://me:token@github.example/a')).rejects.toThrow('leave it out')
    await expect(at('ext::sh -c touch% /tmp/x')).rejects.toThrow('no address of a repository')
    await expect(at('--upload-pack=touch')).rejects.toThrow('no address of a repository')
    await expect(folders.prepare({ repository: { url, revision: 'nowhere' } }, place)).rejects.toThrow(
      /has no branch or tag "nowhere"/,
    )
  })
})
