/** Small projects without dependencies, with checks that take less than a second. */
import type { Act, Scenario } from './case.ts'

const plainTest = `const assert = require('node:assert')
const { sum } = require('../sum.js')

assert.strictEqual(sum(1, 2), 3)
assert.strictEqual(sum(2, 2), 4)
console.log('2 passed')
`

/** A `sum` that subtracts, tested by a script. */
export const sum: Scenario = {
  files: {
    'package.json':
      '{\n  "name": "sum",\n  "private": true,\n  "scripts": { "test": "node test/sum.test.js" }\n}\n',
    'sum.js': 'exports.sum = (a, b) => a - b\n',
    'test/sum.test.js': plainTest,
  },
  check: 'node test/sum.test.js',
  task: 'sum of sum.js must add. Make the test pass.',
}
export const fixes: Act = { write: 'sum.js', text: 'exports.sum = (a, b) => a + b\n' }
export const missesIt: Act = { write: 'sum.js', text: 'exports.sum = (a, b) => a * b\n' }

/** A correct `sum`; its test does not cover the requested `product`. */
export const green: Scenario = {
  ...sum,
  files: { ...sum.files, 'sum.js': 'exports.sum = (a, b) => a + b\n' },
  task: 'Add a function product to sum.js. The test of sum must still pass.',
}
export const addsProduct: Act = {
  write: 'sum.js',
  text: 'exports.sum = (a, b) => a + b\nexports.product = (a, b) => a * b\n',
}

export const scripted: Scenario = { ...sum, check: 'npm test --silent' }

export const suite: Scenario = {
  files: {
    'package.json': '{ "name": "sum", "private": true }\n',
    'sum.js': 'exports.sum = (a, b) => a - b\n',
    'test/sum.test.js': `const assert = require('node:assert')
const { test } = require('node:test')
const { sum } = require('../sum.js')

test('adds', () => assert.strictEqual(sum(1, 2), 3))
test('adds zero', () => assert.strictEqual(sum(2, 0), 2))
`,
  },
  check: 'node --test',
  task: sum.task,
}

export const report: Scenario = {
  files: {
    'check.sh':
      '. ./lib.sh\nhas_line report.txt "Total: 12" || exit 1\nhas_line report.txt "Checked by: Ada"\n',
    'lib.sh': 'has_line() {\n  grep -qx "$2" "$1" || { echo "$1 lacks: $2"; return 1; }\n}\n',
    'items.txt': '3\n4\n5\n',
  },
  check: 'sh check.sh',
  task: 'Write report.txt with the lines "Total: 12" and "Checked by: Ada".',
}
export const writesReport: Act = { write: 'report.txt', text: 'Total: 12\nChecked by: Ada\n' }

/** A test with a helper, a setup file, expected values and an installed package. */
export const supported: Scenario = {
  files: {
    ...sum.files,
    'test/expected.json': '{ "three": 3, "four": 4 }\n',
    'test/helper.js': "exports.same = (a, b) => require('node:assert').strictEqual(a, b)\n",
    'test/setup.js': "process.on('exit', (code) => console.log(`ended with ${code}`))\n",
    'node_modules/tiny-check/package.json':
      '{ "name": "tiny-check", "version": "1.0.0", "main": "index.js" }\n',
    'node_modules/tiny-check/index.js':
      "module.exports = (ok) => {\n  if (!ok) throw new Error('not so')\n}\n",
    'test/sum.test.js': `const check = require('tiny-check')
const { same } = require('./helper.js')
const expected = require('./expected.json')
const { sum } = require('../sum.js')

same(sum(1, 2), expected.three)
check(sum(2, 2) === expected.four)
console.log('2 passed')
`,
  },
  check: 'node --require ./test/setup.js test/sum.test.js',
  task: sum.task,
}

/** A project that lacks four functions; the check reports the first. */
export const four: Scenario = {
  files: {
    'math.js': '// add, subtract, multiply, negate\n',
    'test/math.test.js': `const assert = require('node:assert')
const math = require('../math.js')

assert.strictEqual(math.add(6, 2), 8, 'add')
assert.strictEqual(math.subtract(6, 2), 4, 'subtract')
assert.strictEqual(math.multiply(6, 2), 12, 'multiply')
assert.strictEqual(math.negate(6), -6, 'negate')
console.log('4 passed')
`,
  },
  check: 'node test/math.test.js',
  task: 'Write add, subtract, multiply and negate in math.js. Make the test pass.',
}

const functions = [
  'exports.add = (a, b) => a + b\n',
  'exports.subtract = (a, b) => a - b\n',
  'exports.multiply = (a, b) => a * b\n',
  'exports.negate = (a) => -a\n',
]

/** @param count how many of the four exist */
export function hasFunctions(count: number): Act {
  return { write: 'math.js', text: functions.slice(0, count).join('') }
}
