/**
 * A team of three builds something: a plan, tests that fail, then attempts until the real tests pass. The process is killed hard in
 * the middle of an attempt; another one goes on with the same run, knows what has failed, and ends with the patch.
 */
import { openSqliteStore } from 'donecheck'
import { openMemory } from '@donecheck/engine/memory'
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assertGolden, decisionsOf } from '../golden.ts'

const here = import.meta.dirname
const root = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const workFolder = path.join(root, 'work')
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@localhost', ...words], {
    cwd: workFolder,
    encoding: 'utf8',
  })
cpSync(path.join(here, 'project'), workFolder, { recursive: true })
git('init', '--quiet')
git('add', '--all')
git('commit', '--quiet', '--message', 'as it was')

const worker = [path.join(here, 'worker.ts'), root]
const first = spawn(process.execPath, [...worker, 'start'], { stdio: ['ignore', 'pipe', 'inherit'] })
const line = await new Promise<string>((resolve) => first.stdout.setEncoding('utf8').once('data', resolve))
console.log(`first process: ${line.trim()}`)
first.kill('SIGKILL')
const signal = await new Promise((resolve) => first.once('exit', (_, name) => resolve(name)))
assert.equal(signal, 'SIGKILL')
console.log(
  `second process: ${execFileSync(process.execPath, [...worker, 'resume'], { encoding: 'utf8' }).trim()}`,
)

const store = openSqliteStore({ folder: path.join(root, 'store') })
const runs = await store.list()
const events = await store.read(runs[0]?.runId ?? '')
await store.close()
const memory = openMemory({ file: path.join(root, 'memory.db'), nowMs: Date.now, onProblem: console.error })
const mended = memory.list().filter(({ kind }) => kind === 'mended')
memory.close()
git('add', '--all', '--intent-to-add')
const patch = git('diff')
rmSync(root, { recursive: true })

const replies = events.flatMap((event) => (event.type === 'model-replied' ? event.text : []))
const tried = replies.flatMap((text) => /^Approach: (.+)$/mu.exec(text)?.[1] ?? [])
assert.deepEqual(tried, ['keep the time', 'look at the clock', 'filter the keys'], 'none is tried twice')
const last = events.at(-1)
assert.ok(last?.type === 'run-stopped' && last.transition.reason === 'task_complete')
assert.equal(runs.length, 1, 'one run, in two processes')
assert.ok(
  mended.some(({ text }) => text.includes('is gone for keys')),
  'later runs are told',
)
for (const file of ['PLAN.md', 'expiry.test.mjs', 'store.mjs']) assert.ok(patch.includes(`+++ b/${file}`))
assertGolden(path.join(here, 'decisions.txt'), decisionsOf(events))
console.log(patch)
const tests = /\d+ passed/u.exec(last.transition.message)?.[0] ?? 'no tests'
console.log(`${last.transition.outcome} by two processes: ${tried.length} approaches, ${tests}`)

// prints: verified by two processes: 3 approaches, 9 passed
