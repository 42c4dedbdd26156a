/** A project whose only function is wrong, with two tests that say so in part. */
import { verifyWork, type RunResult, type Verifier } from 'donecheck'
import type { Project } from './trial.ts'

export const sum = (operator: string) => `export const sum = (a, b) => a ${operator} b\n`
const sumTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.mjs'
test('adds', () => assert.equal(sum(2, 3), 5))
test('adds nothing', () => assert.equal(sum(0, 0), 0))
`
export const red = {
  'sum.mjs': sum('-'),
  'sum.test.mjs': sumTest,
  'package.json': '{"type": "module", "scripts": {"test": "node --test"}}',
}
/** The checks once, over a tree that there is nothing to compare with. */
export function verifyOnce({ folder }: Project, check: Verifier): Promise<RunResult> {
  return verifyWork({ workFolder: folder, hardVerifiers: [check], guard: false })
}
