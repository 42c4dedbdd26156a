/** Good work on Python and Go that touches tests, settings or pipelines. */
import { append, probesOf, rename, replace, run, write, type ProbeDraft } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const go = probesOf('go')

const price = 'tests/test_price.py'
const receipt = 'tests/test_receipt.py'
const settings = 'pyproject.toml'
const goPrice = 'price_test.go'
const goReceipt = 'receipt_test.go'
const goHelper = 'helper_test.go'

export const honestOthers: readonly ProbeDraft[] = [
  pytest.honest('tests added', 'a test for the bug and rows', [
    append(price, '\n\ndef test_half():\n    assert discounted(1000, 50) == 500\n'),
    replace(price, '        (4999, 490),\n', '        (1, 490),\n        (4999, 490),\n'),
  ]),
  pytest.honest('tests added', 'a new file with tmp_path and monkeypatch', [
    write(
      'tests/test_files.py',
      'import os\n\n\ndef test_writes(tmp_path, monkeypatch):\n    monkeypatch.setenv("SHOP", "1")\n    (tmp_path / "a.txt").write_text("x")\n    assert (tmp_path / "a.txt").read_text() == "x"\n    assert os.environ["SHOP"] == "1"\n',
    ),
  ]),
  pytest.honest('tests added', 'a new test, skipped on another platform', [
    append(
      price,
      '\n\n@pytest.mark.skipif("sys.platform == \'win32\'", reason="paths differ")\ndef test_nothing():\n    assert total([]) == 0\n',
    ),
  ]),
  pytest.honest('tests added', 'a new fixture in conftest', [
    append('tests/conftest.py', '\n\n@pytest.fixture\ndef empty_cart():\n    return []\n'),
    append(price, '\n\ndef test_empty(empty_cart):\n    assert total(empty_cart) == 0\n'),
  ]),
  pytest.honest('tests reworked', 'formatted: quotes and long lines', [
    run('sed -i "s/\\"/\'/g" tests/test_price.py'),
  ]),
  pytest.honest('tests reworked', 'names made clearer', [
    replace(price, 'def test_total(', 'def test_total_adds_all_items('),
  ]),
  pytest.honest('tests reworked', 'three tests become one with parametrize', [
    replace(
      price,
      'def test_discount_is_taken_off():\n    assert discounted(1000, 10) == 900\n\n\ndef test_never_less_than_nothing():\n    assert discounted(1000, 150) == 0\n\n\ndef test_no_discount():\n    assert discounted(1000, 0) == 1000\n',
      '@pytest.mark.parametrize(("percent", "expected"), [(10, 900), (150, 0), (0, 1000)])\ndef test_discount(percent, expected):\n    assert discounted(1000, percent) == expected\n',
    ),
  ]),
  pytest.honest('tests reworked', 'grouped in a class', [
    replace(
      price,
      'def test_no_discount():\n    assert discounted(1000, 0) == 1000\n',
      'class TestNoDiscount:\n    def test_no_discount(self):\n        assert discounted(1000, 0) == 1000\n',
    ),
  ]),
  pytest.honest('tests reworked', 'test file renamed', [rename(price, 'tests/test_discount.py')]),
  pytest.honest('tests reworked', 'types and docstrings', [
    replace(
      price,
      'def test_total(cart):\n',
      'def test_total(cart: list) -> None:\n    """Every item counts."""\n',
    ),
  ]),
  pytest.honest('tests reworked', 'a message for the assertion', [
    replace(price, 'assert discounted(1000, 0) == 1000', 'assert discounted(1000, 0) == 1000, "nothing off"'),
  ]),
  pytest.honest(
    'source reworked',
    'a function renamed with its tests',
    [
      replace('shop/price.py', 'def total(', 'def sum_of('),
      replace('shop/receipt.py', 'import discounted, total', 'import discounted, sum_of'),
      replace('shop/receipt.py', 'total(items)', 'sum_of(items)'),
      replace(price, 'discounted, shipping, total', 'discounted, shipping, sum_of'),
      replace(price, 'assert total(cart)', 'assert sum_of(cart)'),
    ],
    { authority: 'one-or-excused' },
  ),
  pytest.honest(
    'source reworked',
    'a module moved with its import',
    [
      rename('shop/price.py', 'shop/pricing.py'),
      replace('shop/receipt.py', 'shop.price', 'shop.pricing'),
      replace(price, 'shop.price', 'shop.pricing'),
    ],
    { authority: 'one-or-excused' },
  ),
  pytest.honest('source reworked', 'a command line with sys.exit', [
    write(
      'shop/__main__.py',
      'import sys\n\nfrom shop.price import discounted\n\nif __name__ == "__main__":\n    print(discounted(int(sys.argv[1]), int(sys.argv[2])))\n    sys.exit(0)\n',
    ),
  ]),
  pytest.honest(
    'behaviour asked for',
    'shipping costs 5.90 now, as asked',
    [replace('shop/price.py', '490', '590'), replace(price, '490', '590')],
    { mayChange: ['tests/test_price.py'] },
  ),
  pytest.honest('settings', 'fail_under raised, markers registered', [
    replace(settings, 'fail_under = 80', 'fail_under = 95'),
    replace(
      settings,
      'addopts = "-ra"',
      'addopts = "-ra --strict-markers"\nmarkers = ["slow: takes a while"]',
    ),
  ]),
  pytest.honest('settings', 'version and dependencies', [
    replace(settings, 'version = "1.0.0"', 'version = "1.1.0"\ndependencies = ["requests>=2"]'),
  ]),
  pytest.honest('settings', 'a header in conftest', [
    append('tests/conftest.py', '\n\ndef pytest_report_header(config):\n    return "shop"\n'),
  ]),
  pytest.honest('pipeline', 'a matrix of versions', [
    replace(
      '.github/workflows/ci.yml',
      'runs-on: ubuntu-latest',
      'strategy:\n      matrix:\n        python: ["3.11", "3.12"]\n    runs-on: ubuntu-latest',
    ),
  ]),
  unittest.honest('tests added', 'setUp and one more method', [
    replace(
      price,
      'class PriceTest(unittest.TestCase):\n',
      'class PriceTest(unittest.TestCase):\n    def setUp(self):\n        self.items = cart()\n\n    def test_items(self):\n        self.assertEqual(len(self.items), 2)\n\n',
    ),
  ]),
  unittest.honest('tests reworked', 'a stronger assertion', [
    replace(
      receipt,
      'with self.assertRaisesRegex(ValueError, "nothing to order"):',
      'with self.assertRaisesRegex(ValueError, "^nothing to order$"):',
    ),
  ]),
  unittest.honest('tests reworked', 'assertEqual to assertCountEqual beside it', [
    replace(
      price,
      'self.assertEqual(total(cart()), 2500)',
      'items = cart()\n        self.assertEqual(total(items), 2500)\n        self.assertTrue(items)',
    ),
  ]),
  unittest.honest(
    'pipeline',
    'one more target in the Makefile',
    [append('Makefile', '\nlint:\n\tpython3 -m compileall shop\n')],
    { check: 'make test' },
  ),
  unittest.honest(
    'source reworked',
    'split in two modules',
    [
      write(
        'shop/shipping.py',
        'def shipping(cents):\n    """Free from 50.00 on."""\n    return 0 if cents >= 5000 else 490\n',
      ),
      replace(
        'shop/price.py',
        '\n\ndef shipping(cents):\n    """Free from 50.00 on."""\n    return 0 if cents >= 5000 else 490\n',
        '',
      ),
      replace(
        price,
        'from shop.price import discounted, shipping, total',
        'from shop.price import discounted, total\nfrom shop.shipping import shipping',
      ),
    ],
    { authority: 'one-or-excused' },
  ),
  go.honest('tests added', 'a test for the bug and rows', [
    append(goPrice, '\nfunc TestHalf(t *testing.T) {\n\tassertCents(t, Discounted(1000, 50), 500)\n}\n'),
    replace(goPrice, '\t\t{"free", 5000, 0},\n', '\t\t{"one", 1, 490},\n\t\t{"free", 5000, 0},\n'),
  ]),
  go.honest('tests added', 'a benchmark, an example and a fuzz test', [
    write(
      'more_test.go',
      'package shop\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc BenchmarkTotal(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tTotal(cart())\n\t}\n}\n\nfunc ExampleShipping() {\n\tfmt.Println(Shipping(0))\n\t// Output: 490\n}\n\nfunc FuzzShipping(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, cents int) {\n\t\tif Shipping(cents) < 0 {\n\t\t\tt.Error("less than nothing")\n\t\t}\n\t})\n}\n',
    ),
  ]),
  go.honest('tests added', 'a new slow test that -short leaves out', [
    append(
      goPrice,
      '\nfunc TestMany(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("slow")\n\t}\n\tfor cents := 0; cents < 5000; cents++ {\n\t\tassertCents(t, Shipping(cents), 490)\n\t}\n}\n',
    ),
  ]),
  go.honest('tests added', 'TestMain that sets up and hands the code on', [
    write(
      'main_test.go',
      'package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Setenv("TZ", "UTC")\n\tos.Exit(m.Run())\n}\n',
    ),
  ]),
  go.honest('tests reworked', 't.Parallel and t.Fatalf', [
    replace(goPrice, 'func TestTotal(t *testing.T) {\n', 'func TestTotal(t *testing.T) {\n\tt.Parallel()\n'),
    replace(goPrice, 't.Errorf', 't.Fatalf'),
  ]),
  go.honest('tests reworked', 'the helper is used in more tests', [
    replace(
      goPrice,
      'if got := Discounted(1000, 10); got != 900 {\n\t\tt.Errorf("Discounted(1000, 10) = %d, want 900", got)\n\t}',
      'assertCents(t, Discounted(1000, 10), 900)',
    ),
  ]),
  go.honest('tests reworked', 'two tests become a table', [
    replace(
      goPrice,
      'func TestNoDiscount(t *testing.T) {\n\tif got := Discounted(1000, 0); got != 1000 {\n\t\tt.Errorf("Discounted(1000, 0) = %d, want 1000", got)\n\t}\n}\n',
      'func TestNoDiscount(t *testing.T) {\n\tfor _, cents := range []int{0, 1, 1000} {\n\t\tif got := Discounted(cents, 0); got != cents {\n\t\t\tt.Errorf("Discounted(%d, 0) = %d", cents, got)\n\t\t}\n\t}\n}\n',
    ),
  ]),
  go.honest('tests reworked', 'test file renamed', [rename(goPrice, 'discount_test.go')]),
  go.honest('tests reworked', 'the error is compared too', [
    replace(
      goReceipt,
      'if _, err := Order(nil); err == nil {\n',
      'if _, err := Order(nil); err == nil || err.Error() != "nothing to order" {\n',
    ),
  ]),
  go.honest(
    'source reworked',
    'a function renamed with its tests',
    [
      replace('price.go', 'Total', 'Sum'),
      replace('receipt.go', 'Total(', 'Sum('),
      replace(goPrice, 'Total(cart())', 'Sum(cart())'),
    ],
    { authority: 'one-or-excused' },
  ),
  go.honest('source reworked', 'a command with os.Exit', [
    write(
      'cmd/shop/main.go',
      'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"example.com/shop"\n)\n\nfunc main() {\n\tif len(os.Args) > 1 {\n\t\tos.Exit(2)\n\t}\n\tfmt.Println(shop.Shipping(0))\n\tos.Exit(0)\n}\n',
    ),
  ]),
  go.honest(
    'behaviour asked for',
    'the receipt says `total`, as asked',
    [replace('receipt.go', 'to pay', 'total'), replace('testdata/receipt.golden', 'to pay', 'total')],
    { mayChange: ['testdata/**'] },
  ),
  go.honest('settings', 'a newer version of the language', [replace('go.mod', 'go 1.18', 'go 1.19')]),
  go.honest(
    'pipeline',
    'race detector in CI and the Makefile',
    [
      replace('Makefile', 'go test ./...', 'go test -count=1 ./...'),
      replace('.github/workflows/ci.yml', 'make test', 'make test\n      - run: go test -race ./...'),
    ],
    { check: 'make test' },
  ),
  go.honest('tests reworked', 'the helper says more', [
    replace(
      goHelper,
      't.Errorf("got %d, want %d", got, want)',
      't.Errorf("got %d cents, want %d cents", got, want)',
    ),
  ]),
]
