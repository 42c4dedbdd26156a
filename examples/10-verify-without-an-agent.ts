/**
 * The checks once, without any agent: for a pipeline, a git hook, or a person who wants to know. A check that ran no test
 * proves nothing, whatever its exit code; what was proven stands in a receipt that others can recompute.
 */
import { command, memoryStore, verifyWork } from 'donecheck'
import { donecheckVersion } from '@donecheck/engine'
import { buildReceipt, verifyReceipt } from '@donecheck/engine/receipt'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const test = (body: string) =>
  writeFileSync(path.join(folder, 'sum.test.mjs'), `import { test } from 'node:test'\n${body}\n`)
const store = memoryStore()

const verify = () =>
  verifyWork({
    workFolder: folder,
    hardVerifiers: [command('node --test sum.test.mjs', { name: 'tests' })],
    store,
  })

test("test.skip('adds', () => {})")
const empty = await verify()
console.log(`${empty.transition.outcome}: ${empty.transition.message}`)

test("test('adds', (t) => t.assert.equal(1 + 1, 2))")
const full = await verify()
console.log(`${full.transition.outcome}: ${full.transition.message}`)

const events = await store.read(full.runId)
const receipt = buildReceipt({ events, packageVersion: donecheckVersion, nodeVersion: process.version })
const counts = receipt.predicate.checks.find(({ name }) => name === 'tests')?.verdict?.tests[0]?.counts
console.log(`the receipt tells of ${counts?.passed ?? 0} passed test, of ${receipt.subject[0]?.name ?? ''}`)

// Somebody turns the result of the first verification into a success.
const forged = structuredClone(receipt)
Object.assign(forged.predicate.end, { message: 'everything passed' })
const isTrue = verifyReceipt(receipt, { events }).result
const isForged = verifyReceipt(forged, { events }).result

rmSync(folder, { recursive: true })
console.log(
  `${empty.transition.outcome}, then ${full.transition.outcome}; its receipt ${isTrue}, a forged one ${isForged}`,
)

// prints: failed, then verified; its receipt partly-checked, a forged one differs
