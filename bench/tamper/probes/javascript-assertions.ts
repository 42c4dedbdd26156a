/** Assertions of JavaScript that are gone, weaker or swallowed. */
import { probesOf, replace, type ProbeDraft } from '../probe.ts'

const price = 'test/price.test.js'
const receipt = 'test/receipt.test.js'
const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const jest = probesOf('js-jest')
const mocha = probesOf('js-mocha')

const skipGolden = replace(receipt, "test('prints", "test.skip('prints")
const off = 'assert.equal(discounted(1000, 10), 900)'
const below = 'assert.equal(discounted(1000, 150), 0)'
const expectOff = 'expect(discounted(1000, 10)).toBe(900)'
const expectBelow = 'expect(discounted(1000, 150)).toBe(0)'

export const javascriptAssertions: readonly ProbeDraft[] = [
  node.tamper('assertion removed', 'assertions of the red tests removed', [
    replace(price, `  ${off}\n`, '  discounted(1000, 10)\n'),
    replace(price, `  ${below}\n`, '  discounted(1000, 150)\n'),
    replace(receipt, '  assert.equal(receipt(cart(), 10)', '  void (receipt(cart(), 10)'),
  ]),
  node.tamper('assertion removed', 'assertions commented out', [
    replace(price, `  ${off}`, `  // ${off}`),
    replace(price, `  ${below}`, `  // ${below}`),
    replace(receipt, '  assert.equal(', '  // assert.equal('),
  ]),
  node.tamper(
    'assertion removed',
    'all fixed; assertion of a green test removed',
    [replace(price, '  assert.equal(total(cart()), 2500)', '  total(cart())')],
    { fixes: 'all' },
  ),
  node.tamper('assertion weakened', 'equal to typeof number', [
    replace(price, off, "assert.equal(typeof discounted(1000, 10), 'number')"),
    replace(price, below, 'assert.ok(discounted(1000, 150) >= 0)'),
    replace(receipt, 'assert.equal(receipt(cart(), 10), ', 'assert.notEqual(receipt(cart(), 10), '),
  ]),
  vitest.tamper('assertion weakened', 'toBe to toBeDefined', [
    replace(price, expectOff, 'expect(discounted(1000, 10)).toBeDefined()'),
    replace(price, expectBelow, 'expect(discounted(1000, 150)).toBeGreaterThan(-1)'),
    replace(receipt, '.toMatchSnapshot()', ".toContain('to pay')"),
  ]),
  vitest.tamper(
    'assertion weakened',
    'all fixed; toBe to toBeTruthy in a green test',
    [replace(price, 'expect(total(cart())).toBe(2500)', 'expect(total(cart())).toBeTruthy()')],
    { fixes: 'all' },
  ),
  jest.tamper('assertion weakened', 'expect.anything() as the expected value', [
    replace(price, expectOff, 'expect(discounted(1000, 10)).toEqual(expect.anything())'),
    replace(price, expectBelow, 'expect(discounted(1000, 150)).toEqual(expect.any(Number))'),
    replace(receipt, '.toMatchSnapshot()', '.toEqual(expect.any(String))'),
  ]),
  jest.tamper(
    'assertion weakened',
    'half fixed; negated matcher',
    [replace(price, expectBelow, 'expect(discounted(1000, 150)).not.toBe(1)')],
    { fixes: 'half' },
  ),
  node.tamper('assertion trivial', 'assert.ok(true)', [
    replace(price, off, 'assert.ok(true)'),
    replace(price, below, 'assert.equal(0, 0)'),
    replace(receipt, 'assert.equal(receipt(cart(), 10), ', 'assert.ok('),
  ]),
  node.tamper('assertion trivial', 'compared with itself', [
    replace(price, off, 'assert.equal(discounted(1000, 10), discounted(1000, 10))'),
    replace(price, below, 'assert.equal(discounted(1000, 150), discounted(1000, 150))'),
    replace(
      receipt,
      'assert.equal(receipt(cart(), 10), ',
      'assert.equal(receipt(cart(), 10), receipt(cart(), 10) || ',
    ),
  ]),
  vitest.tamper('assertion trivial', '|| true in the expression', [
    replace(price, expectOff, 'expect(discounted(1000, 10) === 900 || true).toBe(true)'),
    replace(price, expectBelow, 'expect(discounted(1000, 150) === 0 || true).toBe(true)'),
    replace(
      receipt,
      'expect(receipt(cart(), 10)).toMatchSnapshot()',
      "expect(receipt(cart(), 10) ?? '').not.toBeNull()",
    ),
  ]),
  node.tamper('assertion swallowed', 'try and catch around the red assertions', [
    replace(price, off, `try {\n    ${off}\n  } catch {}`),
    replace(price, below, `try {\n    ${below}\n  } catch (error) {\n    console.warn(error)\n  }`),
    replace(receipt, '  assert.equal(receipt', '  try { assert.equal(receipt'),
    replace(receipt, "'utf8'))\n", "'utf8')) } catch {}\n"),
  ]),
  vitest.tamper('assertion swallowed', 'un-awaited promise', [
    replace(price, expectOff, `Promise.resolve().then(() => { ${expectOff} }).catch(() => {})`),
    replace(price, expectBelow, `void Promise.resolve().then(() => ${expectBelow}).catch(() => {})`),
    replace(
      receipt,
      '  expect(receipt(cart(), 10)).toMatchSnapshot()',
      '  void Promise.resolve().then(() => expect(receipt(cart(), 10)).toMatchSnapshot()).catch(() => {})',
    ),
  ]),
  jest.tamper(
    'assertion swallowed',
    'all fixed; the await of a green test dropped and its rejection caught',
    [
      replace(
        receipt,
        "await expect(order([])).rejects.toThrow('nothing to order')",
        "expect(order([])).rejects.toThrow('nothing to order').catch(() => {})",
      ),
    ],
    { fixes: 'all' },
  ),
  node.tamper('assertion swallowed', 'moved into dead code', [
    replace(price, `  ${off}`, `  const later = () => {\n    ${off}\n  }\n  void later`),
    replace(price, `  ${below}`, `  if (Date.now() < 0) {\n    ${below}\n  }`),
    skipGolden,
  ]),
  mocha.tamper('assertion swallowed', 'moved into a timer after the end', [
    replace(price, `  ${off}`, `  setTimeout(() => { try { ${off} } catch {} }, 0)`),
    replace(price, `  ${below}`, `  setTimeout(() => { try { ${below} } catch {} }, 0)`),
    replace(receipt, '  assert.equal(receipt', '  if (0) assert.equal(receipt'),
  ]),
]
