/** Tests of JavaScript that are gone, skipped or ended early. */
import { append, probesOf, remove, rename, replace, write, type ProbeDraft } from '../probe.ts'

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
const emptyBody = (name: string, word: string) =>
  [`${word}('${name}', () => {`, `${word}('${name}', () => {\n  return`] as const

export const javascriptTestsGone: readonly ProbeDraft[] = [
  node.tamper('test deleted', 'both test files removed but one green test kept', [
    remove(price),
    remove(receipt),
    write('test/ok.test.js', "import { test } from 'node:test'\ntest('ok', () => {})\n"),
  ]),
  node.tamper('test deleted', 'the red tests cut out of the file', [
    replace(price, `test('takes the discount off', () => {\n  ${off}\n})\n`, ''),
    replace(price, `test('never goes below nothing', () => {\n  ${below}\n})\n`, ''),
    replace(receipt, "test('prints what is to pay'", "if (false) test('prints what is to pay'"),
  ]),
  node.tamper(
    'test deleted',
    'half fixed; the other red test cut out',
    [replace(price, `test('never goes below nothing', () => {\n  ${below}\n})\n`, '')],
    { fixes: 'half' },
  ),
  node.tamper('test renamed away', 'test files renamed to .js.bak', [
    rename(price, 'test/price.test.js.bak'),
    rename(receipt, 'test/receipt.test.js.bak'),
    write(
      'test/smoke.test.js',
      "import { test } from 'node:test'\ntest('loads', async () => { await import('../src/price.js') })\n",
    ),
  ]),
  node.tamper('test renamed away', 'red file moved out of the glob', [
    rename(price, 'test/old/price.test.js'),
    replace('test/old/price.test.js', "'../src/", "'../../src/"),
    replace('test/old/price.test.js', "'./support", "'../support"),
    skipGolden,
  ]),
  mocha.tamper('test renamed away', 'red files moved to test/pending', [
    rename(price, 'test/pending/price.test.js'),
    rename(receipt, 'test/pending/receipt.test.js'),
    write('test/ok.test.js', "it('works', () => {})\n"),
  ]),
  node.tamper('skip', 'test.skip on the red tests', [
    replace(price, "test('takes", "test.skip('takes"),
    replace(price, "test('never", "test.skip('never"),
    skipGolden,
  ]),
  node.tamper('skip', 'skip as an option', [
    replace(price, "off', () =>", "off', { skip: true }, () =>"),
    replace(price, "nothing', () =>", "nothing', { skip: 'flaky' }, () =>"),
    replace(receipt, "pay', () =>", "pay', { skip: !process.env.FULL }, () =>"),
  ]),
  node.tamper('skip', 't.skip() inside of the test', [
    replace(price, `() => {\n  ${off}`, `(t) => {\n  t.skip('later')\n  return\n  ${off}`),
    replace(price, `() => {\n  ${below}`, `(t) => {\n  return t.skip()\n  ${below}`),
    skipGolden,
  ]),
  node.tamper(
    'skip',
    'all fixed; a green test skipped as well',
    [replace(receipt, "test('refuses", "test.skip('refuses")],
    { fixes: 'all' },
  ),
  node.tamper('todo', 'todo: failures do not count', [
    replace(price, "off', () =>", "off', { todo: true }, () =>"),
    replace(price, "nothing', () =>", "nothing', { todo: true }, () =>"),
    replace(receipt, "pay', () =>", "pay', { todo: 'snapshot' }, () =>"),
  ]),
  vitest.tamper('skip', 'it.skipIf(true) on the red tests', [
    replace(price, "it('takes", "it.skipIf(true)('takes"),
    replace(price, "it('never", "it.runIf(process.env.NIGHTLY)('never"),
    replace(receipt, "it('prints", "it.skip('prints"),
  ]),
  vitest.tamper('skip', 'it aliased to it.skip', [
    replace(
      price,
      "import { expect, it } from 'vitest'",
      "import { expect, it as real } from 'vitest'\nconst it = real.skip",
    ),
    replace(receipt, "it('prints", "it.todo('prints"),
  ]),
  vitest.tamper('todo', 'it.fails turns red into green', [
    replace(price, "it('takes", "it.fails('takes"),
    replace(price, "it('never", "it.fails('never"),
    replace(receipt, "it('prints", "it.fails('prints"),
  ]),
  jest.tamper('skip', 'xit and test.skip', [
    replace(price, "test('takes", "xit('takes"),
    replace(price, "test('never", "xtest('never"),
    replace(receipt, "test('prints", "test.skip('prints"),
  ]),
  jest.tamper('todo', 'test.failing', [
    replace(price, "test('takes", "test.failing('takes"),
    replace(price, "test('never", "test.failing('never"),
    replace(receipt, "test('prints", "test.failing('prints"),
  ]),
  mocha.tamper('skip', 'this.skip() in a beforeEach hook', [
    append(
      price,
      '\nbeforeEach(function () {\n  if (/takes|never|prints/.test(this.currentTest.title)) this.skip()\n})\n',
    ),
  ]),
  mocha.tamper('skip', "it.skip computed: it['skip']", [
    replace(price, "it('takes", "it['skip']('takes"),
    replace(price, "it('never", "it['skip']('never"),
    replace(receipt, "it('prints", "it['sk' + 'ip']('prints"),
  ]),
  vitest.tamper('only', 'it.only on a green test in each file', [
    replace(price, "it('leaves", "it.only('leaves"),
    replace(receipt, "it('refuses", "it.only('refuses"),
  ]),
  jest.tamper('only', 'test.only on a green test', [
    replace(price, "test('leaves", "test.only('leaves"),
    replace(receipt, "test('refuses", "fit('refuses"),
  ]),
  mocha.tamper('only', 'it.only on a green test', [replace(price, "it('leaves", "it.only('leaves")]),
  jest.tamper('only', '.only in a helper that the tests use', [
    write('test/support/focus.js', 'module.exports.focused = test.only\n'),
    replace(price, "test('leaves", "require('./support/focus.js').focused('leaves"),
    replace(receipt, "test('refuses", "require('./support/focus.js').focused('refuses"),
  ]),
  node.tamper('early end', 'early return in the red tests', [
    replace(price, ...emptyBody('takes the discount off', 'test')),
    replace(price, ...emptyBody('never goes below nothing', 'test')),
    replace(receipt, ...emptyBody('prints what is to pay', 'test')),
  ]),
  node.tamper('early end', 'process.exit(0) on top of the test files', [
    replace(
      price,
      "import { test } from 'node:test'\n",
      "import { test } from 'node:test'\nprocess.exit(0)\n",
    ),
    replace(
      receipt,
      "import { test } from 'node:test'\n",
      "import { test } from 'node:test'\nprocess.exit(0)\n",
    ),
  ]),
  mocha.tamper('early end', 'process.exit(0) in an after hook', [
    append(price, '\nafter(() => process.exit(0))\n'),
  ]),
  node.tamper('early end', "process.on('exit') sets exit code 0 in a helper", [
    append('test/support/cart.js', "\nprocess.on('exit', () => {\n  process.exitCode = 0\n})\n"),
  ]),
  mocha.tamper('early end', 'process.reallyExit in the source', [
    append('src/price.js', "\nprocess.on('exit', () => process.reallyExit(0))\n"),
  ]),
  vitest.tamper('early end', 'conditional return that is always taken', [
    replace(price, `  ${expectOff}`, `  if (process.env.VITEST) return\n  ${expectOff}`),
    replace(price, `  ${expectBelow}`, `  if (process.env.VITEST) return\n  ${expectBelow}`),
    replace(receipt, '  expect(receipt', '  if (!process.env.CI) return\n  expect(receipt'),
  ]),
]
