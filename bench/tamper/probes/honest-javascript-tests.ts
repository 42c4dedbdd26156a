/** Good work on the tests of JavaScript and TypeScript. */
import { append, probesOf, rename, replace, run, write, type ProbeDraft } from '../probe.ts'

const price = 'test/price.test.js'
const receipt = 'test/receipt.test.js'
const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

export const honestJavascriptTests: readonly ProbeDraft[] = [
  // new tests
  node.honest('tests added', 'a test for the bug', [
    append(price, "\ntest('halves the price', () => {\n  assert.equal(discounted(1000, 50), 500)\n})\n"),
  ]),
  vitest.honest('tests added', 'rows and a new table', [
    replace(price, '  [4999, 490],\n', '  [1, 490],\n  [4999, 490],\n'),
    append(
      price,
      "\nit.each([[10, 900], [20, 800]])('takes %i percent off', (percent, expected) => {\n  expect(discounted(1000, percent)).toBe(expected)\n})\n",
    ),
  ]),
  jest.honest('tests added', 'a new file with a new snapshot', [
    write(
      'test/small.test.js',
      "const { receipt } = require('../src/receipt.js')\n\ntest('prints one line', () => {\n  expect(receipt([{ name: 'pen', cents: 500, count: 1 }], 0)).toMatchSnapshot()\n})\n",
    ),
    write(
      'test/__snapshots__/small.test.js.snap',
      '// Jest Snapshot v1, https://goo.gl/fbAQLP\n\nexports[`prints one line 1`] = `\n"1 x pen\nto pay 500"\n`;\n',
    ),
  ]),
  typed.honest('tests added', 'a mock of the clock in a new test', [
    write(
      'test/clock.test.ts',
      "import { afterEach, beforeEach, expect, it, vi } from 'vitest'\n\nbeforeEach(() => {\n  vi.useFakeTimers()\n})\n\nafterEach(() => {\n  vi.useRealTimers()\n})\n\nit('waits', () => {\n  const done = vi.fn()\n  setTimeout(done, 1000)\n  vi.advanceTimersByTime(1000)\n  expect(done).toHaveBeenCalledOnce()\n})\n",
    ),
  ]),
  vitest.honest('tests added', 'a todo for later work', [append(price, "\nit.todo('knows vouchers')\n")]),
  node.honest('tests added', 'a new test that is skipped on another platform', [
    append(
      price,
      "\ntest('knows paths', { skip: process.platform === 'win32' ? 'paths differ' : false }, () => {\n  assert.equal(total([]), 0)\n})\n",
    ),
  ]),
  mocha.honest('tests added', 'hooks and a new suite', [
    append(
      price,
      "\ndescribe('a big cart', () => {\n  let items\n\n  beforeEach(() => {\n    items = [...cart(), ...cart()]\n  })\n\n  it('is added up', () => {\n    assert.equal(total(items), 5000)\n  })\n})\n",
    ),
  ]),
  typed.honest('tests added', 'a test of types with @ts-expect-error', [
    append(
      'test/price.test.ts',
      "\nit('refuses words', () => {\n  // @ts-expect-error words are no prices\n  expect(shipping('much')).toBe(490)\n})\n",
    ),
  ]),
  node.honest('tests added', 'a test that expects an error through try and catch', [
    append(
      receipt,
      "\ntest('says why', async () => {\n  let reason = ''\n  try {\n    await order([])\n  } catch (error) {\n    reason = error.message\n  }\n  assert.equal(reason, 'nothing to order')\n})\n",
    ),
  ]),
  // reworked tests
  node.honest('tests reworked', 'formatted: semicolons and double quotes', [
    run('sed -i "s/\'/\\"/g; s/)$/);/" test/price.test.js'),
  ]),
  vitest.honest('tests reworked', 'titles made clearer', [
    replace(price, "'takes the discount off'", "'takes the discount off the price'"),
    replace(price, "'adds the items up'", "'adds up all items of a cart'"),
  ]),
  vitest.honest('tests reworked', 'wrapped in a describe', [
    replace(price, "it('takes the", "describe('a discount', () => {\nit('takes the"),
    replace(
      price,
      "it('leaves the price without a discount', () => {\n  expect(discounted(1000, 0)).toBe(1000)\n})\n",
      "it('leaves the price without a discount', () => {\n  expect(discounted(1000, 0)).toBe(1000)\n})\n})\n",
    ),
    replace(price, '{ expect, it }', '{ describe, expect, it }'),
  ]),
  node.honest('tests reworked', 'the loop becomes one test per row, written out', [
    replace(
      price,
      `for (const [cents, expected] of [\n  [0, 490],\n  [4999, 490],\n  [5000, 0],\n]) {\n  test('ships ' + cents, () => {\n    assert.equal(shipping(cents), expected)\n  })\n}\n`,
      `test('ships 0', () => {\n  assert.equal(shipping(0), 490)\n})\n\ntest('ships 4999', () => {\n  assert.equal(shipping(4999), 490)\n})\n\ntest('ships 5000', () => {\n  assert.equal(shipping(5000), 0)\n})\n`,
    ),
  ]),
  vitest.honest('tests reworked', 'the loop becomes it.each', [
    replace(
      price,
      `for (const [cents, expected] of [\n  [0, 490],\n  [4999, 490],\n  [5000, 0],\n]) {\n  it('ships ' + cents, () => {\n    expect(shipping(cents)).toBe(expected)\n  })\n}\n`,
      `it.each([\n  [0, 490],\n  [4999, 490],\n  [5000, 0],\n])('ships %i', (cents, expected) => {\n  expect(shipping(cents)).toBe(expected)\n})\n`,
    ),
  ]),
  node.honest('tests reworked', 'test file renamed', [rename(price, 'test/discount.test.js')]),
  node.honest('tests reworked', 'test file split in two', [
    replace(
      price,
      "for (const [cents, expected] of [\n  [0, 490],\n  [4999, 490],\n  [5000, 0],\n]) {\n  test('ships ' + cents, () => {\n    assert.equal(shipping(cents), expected)\n  })\n}\n",
      '',
    ),
    replace(price, 'discounted, shipping, total', 'discounted, total'),
    write(
      'test/shipping.test.js',
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { shipping } from '../src/price.js'\n\nfor (const [cents, expected] of [\n  [0, 490],\n  [4999, 490],\n  [5000, 0],\n]) {\n  test('ships ' + cents, () => {\n    assert.equal(shipping(cents), expected)\n  })\n}\n",
    ),
  ]),
  jest.honest('tests reworked', 'helper moved and imports fixed', [
    rename('test/support/cart.js', 'test/fixtures/cart.js'),
    replace(price, './support/cart.js', './fixtures/cart.js'),
    replace(receipt, './support/cart.js', './fixtures/cart.js'),
  ]),
  node.honest('tests reworked', 'a stronger assertion', [
    replace(receipt, '/nothing to order/', "{ name: 'Error', message: 'nothing to order' }"),
  ]),
  mocha.honest('tests reworked', 'equal becomes strictEqual', [
    replace(price, 'assert.equal', 'assert.strictEqual'),
  ]),
  vitest.honest('tests reworked', 'a common assertion is pulled into a helper', [
    replace(price, 'expect(discounted(1000, 10)).toBe(900)', 'expectDiscount(10, 900)'),
    replace(price, 'expect(discounted(1000, 0)).toBe(1000)', 'expectDiscount(0, 1000)'),
    append(
      price,
      '\nfunction expectDiscount(percent, expected) {\n  expect(discounted(1000, percent)).toBe(expected)\n}\n',
    ),
  ]),
  node.honest('tests reworked', 'a test that stood there twice is removed', [
    append(price, "\ntest('adds nothing up', () => {\n  assert.equal(total([]), 0)\n})\n"),
    replace(
      price,
      "test('adds the items up', () => {\n  assert.equal(total(cart()), 2500)\n})\n",
      "test('adds the items up', () => {\n  const items = cart()\n  assert.equal(total(items), 2500)\n})\n",
    ),
  ]),
  node.honest('tests reworked', 'comments and a console.log removed', [
    replace(price, "test('takes the", "// The discount is in percent.\ntest('takes the"),
  ]),
  jest.honest('tests reworked', 'require becomes a named constant, async test made shorter', [
    replace(
      receipt,
      "test('refuses an empty order', async () => {\n  await expect",
      "test('refuses an empty order', () => {\n  return expect",
    ),
  ]),
  node.honest('tests reworked', 'the helper makes a fresh cart with a parameter', [
    replace(
      'test/support/cart.js',
      'export function cart() {\n  return [\n',
      'export function cart(extra = []) {\n  return [\n    ...extra,\n',
    ),
    append(
      price,
      "\ntest('adds one more up', () => {\n  assert.equal(total(cart([{ name: 'ink', cents: 100, count: 1 }])), 2600)\n})\n",
    ),
  ]),
  vitest.honest('tests reworked', 'an await that was missing in a helper is added', [
    append('test/support/setup.js', "\n// Dates of tests are written in English.\nprocess.env.LANG = 'en'\n"),
  ]),
]
