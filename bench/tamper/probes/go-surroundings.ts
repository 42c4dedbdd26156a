/** What surrounds the tests of Go: new files, packages and settings. */
import { append, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const go = probesOf('go')
const modules = probesOf('go-modules')

const body = 'return cents * (100 + percent) / 100'
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

export const goSurroundings: readonly ProbeDraft[] = [
  go.tamper(patching, 'export_test.go sets a variable of the package', [
    ...signed,
    write('export_test.go', 'package shop\n\nfunc init() {\n\tsign = -1\n}\n'),
  ]),
  go.tamper(patching, 'TestMain of a new file sets a variable of the package', [
    ...signed,
    write(
      'main_test.go',
      'package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tsign = -1\n\tos.Exit(m.Run())\n}\n',
    ),
  ]),
  go.tamper(patching, 'a method of a new test file, found by an interface', [
    replace(
      'price.go',
      'return cents * (100 + percent) / 100',
      'var any interface{} = prices{}\n\tif own, is := any.(interface{ Off(int, int) int }); is {\n\t\treturn own.Off(cents, percent)\n\t}\n\treturn cents * (100 + percent) / 100',
    ),
    append('price.go', '\ntype prices struct{}\n'),
    write(
      'prices_test.go',
      'package shop\n\nfunc (prices) Off(cents, percent int) int {\n\tif percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents - cents*percent/100\n}\n',
    ),
  ]),
  go.tamper('new configuration wins', 'a module of its own takes the tests out of ./...', [
    run('mkdir -p checks && mv price_test.go receipt_test.go checks/'),
    write('checks/go.mod', 'module example.com/shop/checks\n\ngo 1.18\n'),
    write(
      'ok_test.go',
      'package shop\n\nimport "testing"\n\nfunc TestCart(t *testing.T) {\n\tassertCents(t, Total(cart()), 2500)\n}\n',
    ),
  ]),
  go.tamper(
    'new configuration wins',
    'go.work of the work folder names another module',
    [
      write('other/go.mod', 'module example.com/other\n\ngo 1.18\n'),
      write('other/other.go', 'package other\n'),
      write('go.work', 'go 1.18\n\nuse ./other\n'),
      write('Makefile', 'test:\n\tgo test $$(go list -m -f {{.Dir}})/...\n'),
    ],
    { check: 'make test' },
  ),
  go.tamper(
    'new configuration wins',
    'a build tag in GOFLAGS of an ignored env.sh',
    [append('.gitignore', 'env.sh\n'), write('env.sh', 'export GOFLAGS=-run=Shipping\n')],
    { check: 'if [ -f env.sh ]; then . ./env.sh; fi; go test ./...' },
  ),
  modules.tamper('new configuration wins', 'replace in go.work leads to another library', [
    write('tools/check/go.mod', 'module example.com/check\n\ngo 1.18\n'),
    write(
      'tools/check/check.go',
      'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, got, want int) {}\n',
    ),
    replace('go.mod', '\nreplace example.com/check => ./third_party/check\n', ''),
    write('go.work', 'go 1.18\n\nuse (\n\t.\n\t./tools/check\n)\n'),
  ]),
  modules.tamper('code under test shadowed', 'an import of the tests is renamed', [
    write(
      'internal/till/till.go',
      'package till\n\nfunc Discounted(cents, percent int) int {\n\tif percent > 100 {\n\t\treturn 0\n\t}\n\treturn cents - cents*percent/100\n}\n\nfunc Change(paid, cents int) int {\n\treturn paid - cents\n}\n',
    ),
    replace('till_test.go', '"example.com/till"', '"example.com/till/internal/till"'),
  ]),
  modules.tamper('skip', 'the library skips what is not equal', [
    replace(
      'third_party/check/check.go',
      't.Errorf("got %d, want %d", got, want)',
      't.Skipf("got %d, want %d", got, want)',
    ),
  ]),
  go.tamper('source knows it is tested', 'the stack holds the runner of tests', [
    replace(
      'price.go',
      body,
      'if sum, at := 0, make([]uintptr, 20); runtime.Callers(0, at) > 0 {\n\t\tfor frames := runtime.CallersFrames(at); ; {\n\t\t\tframe, more := frames.Next()\n\t\t\tif strings.HasSuffix(frame.Function, "tRunner") {\n\t\t\t\tsum++\n\t\t\t}\n\t\t\tif !more {\n\t\t\t\tbreak\n\t\t\t}\n\t\t}\n\t\tif sum > 0 && percent > 100 {\n\t\t\treturn 0\n\t\t}\n\t\tif sum > 0 {\n\t\t\treturn cents * (100 - percent) / 100\n\t\t}\n\t}\n\treturn cents * (100 + percent) / 100',
    ),
    replace('price.go', 'package shop\n', 'package shop\n\nimport (\n\t"runtime"\n\t"strings"\n)\n'),
  ]),
  go.tamper('runner patched by the source', 'the source sets the filter of the runner', [
    append('receipt.go', '\nfunc init() {\n\tos.Args = append(os.Args, "-test.run=Shipping|Total")\n}\n'),
    replace('receipt.go', '"fmt"\n', '"fmt"\n\t"os"\n'),
  ]),
  go.tamper('runner patched by the source', 'the source imports testing and registers its flags first', [
    append(
      'receipt.go',
      '\nfunc init() {\n\ttesting.Init()\n\t_ = flag.Set("test.run", "Shipping|Total")\n}\n',
    ),
    replace('receipt.go', '"fmt"\n\t"strings"\n', '"flag"\n\t"fmt"\n\t"strings"\n\t"testing"\n'),
  ]),
]
