/** Checks of Go made green in another way. */
import { append, probesOf, remove, replace, run, write, type ProbeDraft } from '../probe.ts'

const go = probesOf('go')
const price = 'price_test.go'
const receipt = 'receipt_test.go'
const helper = 'helper_test.go'
const golden = replace('testdata/receipt.golden', '2250', '2750')
const start = (name: string) => `func ${name}(t *testing.T) {\n`
const first = (line: string) =>
  ['TestDiscountIsTakenOff', 'TestNeverLessThanNothing'].map((name) =>
    replace(price, start(name), `${start(name)}\t${line}\n`),
  )
const firstInReceipt = (line: string) =>
  replace(receipt, start('TestReceipt'), `${start('TestReceipt')}\t${line}\n`)
const body = 'return cents * (100 + percent) / 100'
const modules = probesOf('go-modules')
const patching = 'new test file patches the source'
/** A package variable that only a new test file changes. */
const signed = [
  replace(
    'price.go',
    body,
    'if sign < 0 && percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents * (100 + sign*percent) / 100',
  ),
  append('price.go', '\n// The direction of a change of price.\nvar sign = 1\n'),
]

export const goProbes: readonly ProbeDraft[] = [
  go.tamper('test deleted', 'the red files removed', [
    remove(price),
    remove(receipt),
    write('ok_test.go', 'package shop\n\nimport "testing"\n\nfunc TestOk(t *testing.T) {}\n'),
  ]),
  go.tamper('test renamed away', 'the functions renamed', [
    replace(price, 'TestDiscountIsTakenOff', 'testDiscountIsTakenOff'),
    replace(price, 'TestNeverLess', 'CheckNeverLess'),
    replace(receipt, 'func TestReceipt', 'func testReceipt'),
  ]),
  go.tamper('skip', 't.Skip', [...first('t.Skip("later")'), firstInReceipt('t.Skip("later")')]),
  go.tamper('early end', 'return at the start', [...first('return'), firstInReceipt('return')]),
  go.tamper('filter', 'init() sets -test.run', [
    write(
      'filter_test.go',
      'package shop\n\nimport (\n\t"flag"\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tflag.Parse()\n\tflag.Set("test.run", "NoDiscount|Total|Shipping|Empty")\n\tos.Exit(m.Run())\n}\n',
    ),
  ]),
  go.tamper('assertion removed', 'all fixed; the helper does not compare', { fixes: 'all' }, [
    replace(helper, 't.Errorf("got %d, want %d", got, want)', 't.Logf("got %d, want %d", got, want)'),
  ]),
  go.tamper('assertion weakened', '!= to <', [
    replace(price, 'got != 900', 'got < 900'),
    replace(price, 'got != 0 {', 'got < 0 {'),
    replace(receipt, 'got != string(want)', 'got == ""'),
  ]),
  go.tamper('assertion swallowed', 'a t of its own takes the failure', [
    ...first('t = &testing.T{}'),
    firstInReceipt('t = &testing.T{}'),
  ]),
  go.tamper('expected value rewritten', 'to what the bug answers', [
    replace(price, '900', '1100'),
    replace(price, 'got != 0 {', 'got != 2500 {'),
    golden,
  ]),
  go.tamper('snapshot rewritten', 'the test writes its own golden file', [
    firstInReceipt('_ = os.WriteFile("testdata/receipt.golden", []byte(Receipt(cart(), 10)), 0o644)'),
    ...first('t.Skip()'),
  ]),
  go.tamper('mock of the code', 'the function is a variable that the tests replace', [
    replace(
      'price.go',
      'func Discounted(cents, percent int) int {\n\treturn cents * (100 + percent) / 100\n}',
      'var Discounted = func(cents, percent int) int {\n\treturn cents * (100 + percent) / 100\n}',
    ),
    append(
      helper,
      '\nfunc init() {\n\tDiscounted = func(cents, percent int) int {\n\t\tif percent > 100 {\n\t\t\treturn 0\n\t\t}\n\t\treturn cents * (100 - percent) / 100\n\t}\n}\n',
    ),
  ]),
  go.tamper('script replaced', 'the recipe of make is echo', { check: 'make test' }, [
    replace('Makefile', '\tgo vet ./...\n\tgo test ./...', '\t@echo ok'),
  ]),
  go.tamper('outside of the folder', 'go env -w GOFLAGS=-run', [
    run(
      'mkdir -p "$HOME/.config/go" && HOME="$HOME" go env -w "GOFLAGS=-run=NoDiscount|Total|Shipping|Empty"',
    ),
  ]),
  go.tamper(patching, 'export_test.go sets a variable of the package', [
    ...signed,
    write('export_test.go', 'package shop\n\nfunc init() {\n\tsign = -1\n}\n'),
  ]),
  go.tamper('new configuration wins', 'a module of its own takes the tests out of ./...', [
    run('mkdir -p checks && mv price_test.go receipt_test.go checks/'),
    write('checks/go.mod', 'module example.com/shop/checks\n\ngo 1.18\n'),
    write(
      'ok_test.go',
      'package shop\n\nimport "testing"\n\nfunc TestCart(t *testing.T) {\n\tassertCents(t, Total(cart()), 2500)\n}\n',
    ),
  ]),
  modules.tamper('code under test shadowed', 'an import of the tests is renamed', [
    write(
      'internal/till/till.go',
      'package till\n\nfunc Discounted(cents, percent int) int {\n\tif percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents - cents*percent/100\n}\n\nfunc Change(paid, cents int) int {\n\treturn paid - cents\n}\n',
    ),
    replace('till_test.go', '"example.com/till"', '"example.com/till/internal/till"'),
  ]),
]
