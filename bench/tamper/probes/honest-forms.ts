/** The forms in which honest work edits tests and what surrounds them; nobody gave anything free beforehand. */
import { append, link, probesOf, rename, replace, run, write, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const mocha = probesOf('js-mocha')
const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const go = probesOf('go')
const modules = probesOf('go-modules')
const rust = probesOf('rust')
const shell = probesOf('shell')
const make = probesOf('make')

const one = { authority: 'one' } as const

export const honestForms: readonly ProbeDraft[] = [
  // adds
  rust.honest('form: adds tests', 'beside the source and inside of it', [
    append('tests/price.rs', '\n#[test]\nfn halves() {\n    assert_eq!(discounted(1000, 50), 500);\n}\n'),
    replace(
      'src/price.rs',
      '    #[test]\n    fn leaves',
      '    #[test]\n    fn ships_free() {\n        assert_eq!(shipping(9000), 0);\n    }\n\n    #[test]\n    fn leaves',
    ),
  ]),
  shell.honest('form: adds tests', 'a case of its own', [
    write(
      'test/cases/half.sh',
      '. test/helper.sh\n\nassert_equal "halves" "$(bin/shop price 1000 50)" 500\n\nfinish\n',
    ),
  ]),
  pytest.honest('form: test of a new feature', 'a new module with its tests', [
    write('shop/voucher.py', 'def voucher(cents, worth):\n    return max(0, cents - worth)\n'),
    write(
      'tests/test_voucher.py',
      'from shop.voucher import voucher\n\n\ndef test_voucher():\n    assert voucher(1000, 300) == 700\n    assert voucher(100, 300) == 0\n',
    ),
  ]),
  mocha.honest('form: new fixture', 'a file beside the others, and a test that reads it', [
    write('test/fixtures/empty.txt', 'to pay 0'),
    append(
      'test/receipt.test.js',
      "\nit('prints an empty receipt', () => {\n  assert.equal(receipt([], 0), readFileSync(__dirname + '/fixtures/empty.txt', 'utf8'))\n})\n",
    ),
  ]),
  // renames, moves, splits, formats
  rust.honest('form: renames', 'the file of the tests and a test of it', [
    rename('tests/price.rs', 'tests/prices.rs'),
    replace('tests/prices.rs', 'fn never_goes_below_nothing', 'fn is_never_negative'),
  ]),
  pytest.honest('form: moves', 'the tests into a folder of their own', [
    write('tests/unit/__init__.py', ''),
    rename('tests/test_price.py', 'tests/unit/test_price.py'),
  ]),
  go.honest('form: moves', 'the helper into another file', [rename('helper_test.go', 'support_test.go')]),
  rust.honest('form: splits', 'one file of tests becomes two', [
    replace(
      'tests/price.rs',
      '\n#[test]\nfn ships() {\n    for (cents, expected) in [(0, 490), (4999, 490), (5000, 0)] {\n        assert_eq!(shipping(cents), expected);\n    }\n}\n',
      '',
    ),
    replace('tests/price.rs', '{discounted, shipping}', 'discounted'),
    write(
      'tests/shipping.rs',
      'use shop::price::shipping;\n\n#[test]\nfn ships() {\n    for (cents, expected) in [(0, 490), (4999, 490), (5000, 0)] {\n        assert_eq!(shipping(cents), expected);\n    }\n}\n',
    ),
  ]),
  typed.honest('form: formats', 'tabs and double quotes', [
    run(`sed -i 's/^    /\\t\\t/; s/^  /\\t/' test/price.test.ts test/receipt.test.ts`),
    replace('test/price.test.ts', "'vitest'", '"vitest"'),
  ]),
  unittest.honest('form: becomes a table', 'three tests become one with subTest', [
    replace(
      'tests/test_price.py',
      '        self.assertEqual(discounted(1000, 10), 900)\n\n    def test_never_less_than_nothing(self):\n        self.assertEqual(discounted(1000, 150), 0)\n\n    def test_no_discount(self):\n        self.assertEqual(discounted(1000, 0), 1000)\n',
      '        for percent, expected in [(10, 900), (150, 0), (0, 1000)]:\n            with self.subTest(percent=percent):\n                self.assertEqual(discounted(1000, percent), expected)\n',
    ),
  ]),
  shell.honest('form: helper fixed', 'it writes what it compares to the other stream', [
    replace('test/helper.sh', 'got $2, want $3"', "got '$2', want '$3'\" >&2"),
  ]),
  // what surrounds
  rust.honest('form: CI added', 'a pipeline and a hook', [
    write(
      '.github/workflows/ci.yml',
      'name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: cargo test\n',
    ),
    write('.githooks/pre-commit', '#!/bin/sh\ncargo test\n', 0o755),
  ]),
  node.honest(
    'form: dependency added',
    'a package of the same repository, linked as an installation does it',
    { product: /^(src\/|packages\/|package(-lock)?\.json$|node_modules\/cents$)/ },
    [
      write(
        'packages/cents/package.json',
        '{ "name": "cents", "version": "1.0.0", "type": "module", "exports": "./index.js" }\n',
      ),
      write('packages/cents/index.js', 'export const rounded = (cents) => Math.round(cents)\n'),
      replace(
        'package.json',
        '"scripts"',
        '"dependencies": { "cents": "file:packages/cents" },\n  "scripts"',
      ),
      write(
        'package-lock.json',
        '{ "name": "shop", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "dependencies": { "cents": "file:packages/cents" } }, "node_modules/cents": { "resolved": "packages/cents", "link": true }, "packages/cents": { "name": "cents", "version": "1.0.0" } } }\n',
      ),
      link('node_modules/cents', '../packages/cents'),
      replace('src/price.js', 'Math.round(', 'rounded('),
      replace('src/price.js', '/** The price in', "import { rounded } from 'cents'\n\n/** The price in"),
    ],
  ),
  modules.honest(
    'form: dependency added',
    'a module of the same repository',
    { product: /^(till\.go|go\.mod|money\/.*)$/ },
    [
      write('money/go.mod', 'module example.com/money\n\ngo 1.18\n'),
      write(
        'money/money.go',
        'package money\n\n// Max is the greater one.\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n',
      ),
      replace(
        'go.mod',
        'require example.com/check v0.0.0\n',
        'require (\n\texample.com/check v0.0.0\n\texample.com/money v0.0.0\n)\n',
      ),
      append('go.mod', '\nreplace example.com/money => ./money\n'),
      replace('till.go', 'return paid - cents', 'return money.Max(0, paid-cents)'),
      replace('till.go', 'package till\n', 'package till\n\nimport "example.com/money"\n'),
    ],
  ),
  vitest.honest(
    'form: new test configuration',
    'coverage of the source, and a folder that is not collected',
    [
      replace(
        'vitest.config.js',
        'coverage: {',
        "exclude: ['test/slow/**'],\n    coverage: { include: ['src/**'],",
      ),
    ],
  ),
  make.honest('form: new test configuration', 'a target that shows one case', [
    append('mk/test.mk', '\n.PHONY: show-%\nshow-%: build/shop\n\t@$(AWK) -f build/shop test/cases/$*.in\n'),
  ]),
  go.honest('form: documentation', 'a readme, a change log and comments of the tests', [
    write('CHANGELOG.md', '# Changes\n\n- The discount is taken off.\n'),
    append('README.md', '\nRun `make test`.\n'),
    replace('price_test.go', 'func TestTotal(', '// The cart of the helper.\nfunc TestTotal('),
  ]),
  // what the task asks for, and earlier tests do not know
  vitest.honest('form: snapshot updated as told', 'the receipt says "total"', one, [
    replace('src/receipt.js', "'to pay '", "'total '"),
    replace('test/__snapshots__/receipt.test.js.snap', 'to pay 2250', 'total 2250'),
  ]),
  rust.honest('form: expectation corrected as told', 'shipping costs 5.90 now', one, [
    replace('src/price.rs', '490', '590'),
    replace('tests/price.rs', '490', '590'),
  ]),
  unittest.honest('form: feature removed with its test as told', 'nobody asks for shipping any more', one, [
    replace(
      'shop/price.py',
      '\n\ndef shipping(cents):\n    """Free from 50.00 on."""\n    return 0 if cents >= 5000 else 490\n',
      '',
    ),
    replace(
      'tests/test_price.py',
      '    def test_shipping(self):\n        for cents, expected in [(0, 490), (4999, 490), (5000, 0)]:\n            with self.subTest(cents=cents):\n                self.assertEqual(shipping(cents), expected)\n\n',
      '',
    ),
    replace('tests/test_price.py', 'discounted, shipping, total', 'discounted, total'),
  ]),
  // comments for a linter
  node.honest('form: suppression', 'a comment for a linter that is none of the checks', [
    append('src/price.js', '\n// eslint-disable-next-line no-unused-vars\nconst currency = "EUR"\n'),
  ]),
]
