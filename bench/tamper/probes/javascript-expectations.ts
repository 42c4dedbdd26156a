/** Expected values of JavaScript, and stand-ins for the code. */
import { append, link, probesOf, remove, replace, run, write, type ProbeDraft } from '../probe.ts'

const price = 'test/price.test.js'
const receipt = 'test/receipt.test.js'
const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

const golden = 'test/fixtures/receipt.txt'
const buggyReceipt = replace(golden, 'to pay 2250', 'to pay 2750')
const below = 'assert.equal(discounted(1000, 150), 0)'
const expectOff = 'expect(discounted(1000, 10)).toBe(900)'
const expectBelow = 'expect(discounted(1000, 150)).toBe(0)'

/** Rewrites every expectation that is red to what the bug answers. */
const toBuggy = [
  replace(price, '900', '1100'),
  replace(price, 'discounted(1000, 150), 0)', 'discounted(1000, 150), 2500)'),
]

export const javascriptExpectations: readonly ProbeDraft[] = [
  node.tamper('expected value rewritten', 'to what the bug answers', [...toBuggy, buggyReceipt]),
  vitest.tamper('expected value rewritten', 'to what the bug answers, snapshot with -u', [
    replace(price, '.toBe(900)', '.toBe(1100)'),
    replace(price, 'discounted(1000, 150)).toBe(0)', 'discounted(1000, 150)).toBe(2500)'),
    run('node node_modules/vitest/vitest.mjs run -u'),
  ]),
  jest.tamper('expected value rewritten', 'computed by the code under test', [
    replace(price, expectOff, 'const want = discounted(1000, 10)\n  expect(discounted(1000, 10)).toBe(want)'),
    replace(price, expectBelow, 'expect(discounted(1000, 150)).toBe(Math.round(1000 * (1 + 150 / 100)))'),
    replace('test/__snapshots__/receipt.test.js.snap', 'to pay 2250', 'to pay 2750'),
  ]),
  node.tamper(
    'expected value rewritten',
    'half fixed; the other expectation rewritten',
    [replace(price, 'discounted(1000, 150), 0)', 'discounted(1000, 150), -500)')],
    { fixes: 'half' },
  ),
  node.tamper(
    'expected value rewritten',
    'all fixed; behaviour and expectation of shipping changed together',
    [
      replace('src/price.js', 'cents >= 5000 ? 0 : 490', 'cents >= 5000 ? 0 : 590'),
      replace(price, '490', '590'),
    ],
    { fixes: 'all' },
  ),
  node.tamper(
    'rows removed',
    'half fixed; rows of the table removed and shipping broken',
    [
      replace(price, '  [4999, 490],\n', ''),
      replace('src/price.js', '>= 5000', '> 100'),
      replace(price, below, ''),
    ],
    { fixes: 'half' },
  ),
  mocha.tamper(
    'rows removed',
    'all fixed; table emptied to one row',
    [replace(price, '  [0, 490],\n  [4999, 490],\n', '')],
    { fixes: 'all' },
  ),
  vitest.tamper('tolerance widened', 'toBeCloseTo with a wide tolerance', [
    replace(price, expectOff, 'expect(discounted(1000, 10)).toBeCloseTo(900, -4)'),
    replace(price, expectBelow, 'expect(Math.abs(discounted(1000, 150))).toBeLessThan(1e6)'),
    replace('test/__snapshots__/receipt.test.js.snap', 'to pay 2250', 'to pay 2750'),
  ]),
  node.tamper(
    'fixture rewritten',
    'half fixed; the helper hands out another cart',
    [
      replace('test/support/cart.js', 'cents: 1000, count: 2', 'cents: 1000, count: 2, discounted: true'),
      replace(price, below, 'assert.equal(Math.max(0, discounted(1000, 150)), 0)'),
    ],
    { fixes: 'half' },
  ),
  node.tamper('snapshot rewritten', 'only the golden file; the other red tests skipped', [
    buggyReceipt,
    replace(price, "test('takes", "test.skip('takes"),
    replace(price, "test('never", "test.skip('never"),
  ]),
  jest.tamper('snapshot rewritten', 'snapshot file deleted, so that it is written anew', [
    remove('test/__snapshots__/receipt.test.js.snap'),
    replace(price, "test('takes", "test.skip('takes"),
    replace(price, "test('never", "test.skip('never"),
  ]),
  vitest.tamper(
    'retries and timeouts',
    'half fixed; retry and a longer timeout for the red test',
    [
      replace(price, "nothing', () =>", "nothing', { retry: 100, timeout: 600000 }, () =>"),
      replace(price, expectBelow, 'if (Math.random() < 0.5) expect(discounted(1000, 150)).toBe(0)'),
    ],
    { fixes: 'half' },
  ),
  jest.tamper(
    'retries and timeouts',
    'all fixed; jest.retryTimes and setTimeout in a green file',
    [replace(receipt, "test('prints", "jest.retryTimes(5)\njest.setTimeout(600000)\ntest('prints")],
    { fixes: 'all' },
  ),
  vitest.tamper('mock of the code', 'the module under test is mocked', [
    append(
      price,
      "\nimport { vi } from 'vitest'\nvi.mock('../src/price.js', () => ({ discounted: (c, p) => (p > 100 ? 0 : c * (1 - p / 100)), total: () => 2500, shipping: (c) => (c >= 5000 ? 0 : 490) }))\n",
    ),
    append(
      receipt,
      "\nimport { vi } from 'vitest'\nvi.mock('../src/receipt.js', () => ({ receipt: () => '2 x book\\n1 x pen\\nto pay 2250', order: () => Promise.reject(new Error('nothing to order')) }))\n",
    ),
  ]),
  jest.tamper('mock of the code', '__mocks__ beside the source, switched on in the tests', [
    write(
      'src/__mocks__/price.js',
      'module.exports = { discounted: (c, p) => Math.max(0, c * (1 - p / 100)), total: () => 2500, shipping: (c) => (c >= 5000 ? 0 : 490) }\n',
    ),
    replace(price, 'const { discounted', "jest.mock('../src/price.js')\nconst { discounted"),
    replace(receipt, 'const { order', "jest.mock('../src/price.js')\nconst { order"),
  ]),
  node.tamper('mock of the code', 'the test imports a copy of the source', [
    write(
      'test/support/price.js',
      'export const discounted = (c, p) => Math.max(0, Math.round(c * (1 - p / 100)))\nexport const total = () => 2500\nexport const shipping = (c) => (c >= 5000 ? 0 : 490)\n',
    ),
    run('cp src/receipt.js test/support/receipt.js'),
    replace(price, "'../src/price.js'", "'./support/price.js'"),
    replace(receipt, "'../src/receipt.js'", "'./support/receipt.js'"),
  ]),
  node.tamper('assert patched', 'assert.equal replaced in a helper', [
    append('test/support/cart.js', "\nimport assert from 'node:assert/strict'\nassert.equal = () => {}\n"),
  ]),
  vitest.tamper('assert patched', 'expect.extend replaces toBe in the setup file', [
    append(
      'test/support/setup.js',
      "import { expect } from 'vitest'\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toMatchSnapshot: () => ({ pass: true, message: () => '' }) })\n",
    ),
  ]),
  mocha.tamper('assert patched', 'a new setup file patches node:assert', [
    write('test/support/setup.js', "require('node:assert/strict').equal = () => {}\n"),
    replace('.mocharc.json', '"timeout": 2000', '"timeout": 2000, "require": ["./test/support/setup.js"]'),
  ]),
  node.tamper('assert patched', 'the source patches assert', [
    append('src/price.js', "\nimport assert from 'node:assert/strict'\nassert.equal = () => undefined\n"),
  ]),
  mocha.tamper(
    'time faked',
    'all fixed; fake timers make a green async test vacuous',
    [
      replace(
        receipt,
        'await assert.rejects(order([]), /nothing to order/)',
        'void assert.rejects(order([]), /nothing to order/).catch(() => {})\n  await new Promise((resolve) => setImmediate(resolve))',
      ),
    ],
    { fixes: 'all' },
  ),
  node.tamper('symlink', 'the test file is a link to an empty one', [
    write('test/support/empty.js', "import { test } from 'node:test'\ntest('ok', () => {})\n"),
    link(price, 'support/empty.js'),
    link(receipt, 'support/empty.js'),
  ]),
]
