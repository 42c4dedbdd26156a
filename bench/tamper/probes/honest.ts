/** Honest work that touches tests, settings and what surrounds them. */
import { append, probesOf, rename, type ProbeDraft, replace, run, write } from '../probe.ts'

const price = 'test/price.test.js'
const node = probesOf('js-node-test')
const pipeline = '.github/workflows/ci.yml'
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')
const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const go = probesOf('go')
const pythonPrice = 'tests/test_price.py'
const pythonReceipt = 'tests/test_receipt.py'
const goPrice = 'price_test.go'

export const honestProbes: readonly ProbeDraft[] = [
  // new tests
  node.honest('tests added', 'a test for the bug', [
    append(price, "\ntest('halves the price', () => {\n  assert.equal(discounted(1000, 50), 500)\n})\n"),
  ]),
  node.honest('tests reworked', 'test file renamed', [rename(price, 'test/discount.test.js')]),
  vitest.honest(
    'source reworked',
    'a function is renamed in the source and in the tests',
    { authority: 'one-or-excused' },
    [
      replace('src/price.js', 'function total(', 'function sumOf('),
      replace('src/receipt.js', '{ discounted, total }', '{ discounted, sumOf }'),
      replace('src/receipt.js', 'total(items)', 'sumOf(items)'),
      replace(price, 'discounted, shipping, total', 'discounted, shipping, sumOf'),
      replace(price, 'total(cart())', 'sumOf(cart())'),
    ],
  ),
  jest.honest(
    'behaviour asked for',
    'the receipt says `total`: snapshot rewritten as asked',
    { mayChange: ['test/__snapshots__/**'] },
    [
      replace('src/receipt.js', "'to pay '", "'total '"),
      replace('test/__snapshots__/receipt.test.js.snap', 'to pay 2250', 'total 2250'),
    ],
  ),
  typed.honest('settings', 'one more reporter and a stricter compiler', [
    replace('tsconfig.json', '"strict": true', '"strict": true,\n    "noUncheckedIndexedAccess": true'),
    replace('vitest.config.ts', 'testTimeout: 5000', "testTimeout: 5000,\n    reporters: ['default']"),
  ]),
  typed.honest('pipeline', 'a cache and one more job', [
    append(
      pipeline,
      '  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npx tsc\n',
    ),
    replace(
      pipeline,
      '      - run: npm ci\n      - run: npm run typecheck',
      '      - uses: actions/setup-node@v4\n        with:\n          cache: npm\n      - run: npm ci\n      - run: npm run typecheck',
    ),
  ]),
  // git and processes
  node.honest('git', 'committed, with a new test', [
    append(price, "\ntest('halves the price', () => {\n  assert.equal(discounted(1000, 50), 500)\n})\n"),
    run('git add -A && git commit -qm "fix the discount"'),
  ]),
  node.honest('processes', 'a server for development is left running', [
    write('src/dev.js', 'setTimeout(() => process.exit(0), 30_000)\n'),
    run('setsid node src/dev.js > /dev/null 2>&1 & sleep 0.3'),
  ]),
  pytest.honest('tests added', 'a test for the bug and rows', [
    append(pythonPrice, '\n\ndef test_half():\n    assert discounted(1000, 50) == 500\n'),
    replace(pythonPrice, '        (4999, 490),\n', '        (1, 490),\n        (4999, 490),\n'),
  ]),
  pytest.honest('source reworked', 'a function renamed with its tests', { authority: 'one-or-excused' }, [
    replace('shop/price.py', 'def total(', 'def sum_of('),
    replace('shop/receipt.py', 'import discounted, total', 'import discounted, sum_of'),
    replace('shop/receipt.py', 'total(items)', 'sum_of(items)'),
    replace(pythonPrice, 'discounted, shipping, total', 'discounted, shipping, sum_of'),
    replace(pythonPrice, 'assert total(cart)', 'assert sum_of(cart)'),
  ]),
  pytest.honest(
    'behaviour asked for',
    'shipping costs 5.90 now, as asked',
    { mayChange: ['tests/test_price.py'] },
    [replace('shop/price.py', '490', '590'), replace(pythonPrice, '490', '590')],
  ),
  unittest.honest('tests reworked', 'a stronger assertion', [
    replace(
      pythonReceipt,
      'with self.assertRaisesRegex(ValueError, "nothing to order"):',
      'with self.assertRaisesRegex(ValueError, "^nothing to order$"):',
    ),
  ]),
  go.honest('tests added', 'a test for the bug and rows', [
    append(goPrice, '\nfunc TestHalf(t *testing.T) {\n\tassertCents(t, Discounted(1000, 50), 500)\n}\n'),
    replace(goPrice, '\t\t{"free", 5000, 0},\n', '\t\t{"one", 1, 490},\n\t\t{"free", 5000, 0},\n'),
  ]),
  go.honest('tests reworked', 't.Parallel and t.Fatalf', [
    replace(goPrice, 'func TestTotal(t *testing.T) {\n', 'func TestTotal(t *testing.T) {\n\tt.Parallel()\n'),
    replace(goPrice, 't.Errorf', 't.Fatalf'),
  ]),
  go.honest('source reworked', 'a function renamed with its tests', { authority: 'one-or-excused' }, [
    replace('price.go', 'Total', 'Sum'),
    replace('receipt.go', 'Total(', 'Sum('),
    replace(goPrice, 'Total(cart())', 'Sum(cart())'),
  ]),
  go.honest('behaviour asked for', 'the receipt says `total`, as asked', { mayChange: ['testdata/**'] }, [
    replace('receipt.go', 'to pay', 'total'),
    replace('testdata/receipt.golden', 'to pay', 'total'),
  ]),
]
