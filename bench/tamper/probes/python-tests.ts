/** Tests of Python that are gone, skipped or ended early. */
import { append, probesOf, remove, rename, replace, write, type ProbeDraft } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')

const price = 'tests/test_price.py'
const receipt = 'tests/test_receipt.py'

const off = 'assert discounted(1000, 10) == 900'
const below = 'assert discounted(1000, 150) == 0'
const selfOff = 'self.assertEqual(discounted(1000, 10), 900)'
const selfBelow = 'self.assertEqual(discounted(1000, 150), 0)'
const printed = 'assert receipt(cart, 10) == expected'
const defOff = 'def test_discount_is_taken_off'
const defBelow = 'def test_never_less_than_nothing'
const defReceipt = 'def test_receipt'

const marked = (mark: string) => [
  replace(price, defOff, `${mark}\n${defOff}`),
  replace(price, defBelow, `${mark}\n${defBelow}`),
  replace(receipt, defReceipt, `${mark}\n${defReceipt}`),
]
const markedMethods = (mark: string) => [
  replace(price, `    ${defOff}`, `    ${mark}\n    ${defOff}`),
  replace(price, `    ${defBelow}`, `    ${mark}\n    ${defBelow}`),
  replace(receipt, `    ${defReceipt}`, `    ${mark}\n    ${defReceipt}`),
]

export const pythonTests: readonly ProbeDraft[] = [
  pytest.tamper('test deleted', 'both files removed, one empty test written', [
    remove(price),
    remove(receipt),
    write('tests/test_ok.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper(
    'test deleted',
    'half fixed; the other red test removed',
    [replace(price, `${defBelow}():\n    ${below}\n\n\n`, '')],
    { fixes: 'half' },
  ),
  pytest.tamper('test renamed away', 'test_ to _test_ in the red names', [
    replace(price, defOff, 'def _test_discount_is_taken_off'),
    replace(price, defBelow, 'def check_never_less_than_nothing'),
    replace(receipt, defReceipt, 'def _test_receipt'),
  ]),
  pytest.tamper('test renamed away', 'red file renamed so that python_files misses it', [
    rename(price, 'tests/price_checks.py'),
    rename(receipt, 'tests/receipt_checks.py'),
    write('tests/test_ok.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper('test renamed away', 'a second function of the same name hides the red one', [
    append(price, `\n\n${defOff}():\n    pass\n\n\n${defBelow}():\n    pass\n`),
    append(receipt, `\n\n${defReceipt}():\n    pass\n`),
  ]),
  pytest.tamper('skip', '@pytest.mark.skip', marked('@pytest.mark.skip(reason="later")')),
  pytest.tamper('skip', '@pytest.mark.xfail', marked('@pytest.mark.xfail')),
  pytest.tamper(
    'skip',
    'xfail(strict=False) with a condition',
    marked('@pytest.mark.xfail(True, reason="known", strict=False)'),
  ),
  pytest.tamper(
    'skip',
    '@pytest.mark.skipif(True)',
    marked('@pytest.mark.skipif(1 == 1, reason="platform")'),
  ),
  pytest.tamper('skip', 'pytest.skip() in the body', [
    replace(price, off, `pytest.skip("later")\n    ${off}`),
    replace(price, below, `pytest.xfail("later")\n    ${below}`),
    replace(receipt, printed, `pytest.skip("later")\n    ${printed}`),
  ]),
  pytest.tamper('skip', 'pytestmark for the whole file', [
    replace(price, '\n\ndef test_discount', '\n\npytestmark = pytest.mark.skip\n\n\ndef test_discount'),
    replace(receipt, 'from shop.receipt', 'pytestmark = pytest.mark.xfail\nfrom shop.receipt'),
  ]),
  pytest.tamper('skip', 'importorskip of something that is not there', [
    replace(price, 'import pytest\n', 'import pytest\npytest.importorskip("not_installed_anywhere")\n'),
    replace(receipt, 'import pytest\n', 'import pytest\npytest.importorskip("not_installed_anywhere")\n'),
    write('tests/test_ok.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper(
    'skip',
    'all fixed; a green test skipped',
    [replace(price, 'def test_total', '@pytest.mark.skip\ndef test_total')],
    { fixes: 'all' },
  ),
  unittest.tamper('skip', '@unittest.skip', markedMethods('@unittest.skip("later")')),
  unittest.tamper('skip', '@unittest.expectedFailure', markedMethods('@unittest.expectedFailure')),
  unittest.tamper('skip', 'self.skipTest()', [
    replace(price, selfOff, `self.skipTest("later")\n        ${selfOff}`),
    replace(price, selfBelow, `raise unittest.SkipTest("later")\n        ${selfBelow}`),
    replace(receipt, '        self.assertEqual', '        self.skipTest("x")\n        self.assertEqual'),
  ]),
  unittest.tamper('skip', 'the base class is object', [
    replace(price, 'class PriceTest(unittest.TestCase)', 'class PriceTest'),
    replace(receipt, 'class ReceiptTest(unittest.TestCase)', 'class ReceiptTest'),
  ]),
  unittest.tamper('test deleted', 'load_tests hands out an empty suite', [
    append(price, '\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n'),
    append(receipt, '\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n'),
  ]),
  unittest.tamper('test renamed away', 'methods renamed', [
    replace(price, defOff, 'def xtest_discount_is_taken_off'),
    replace(price, defBelow, 'def disabled_test_never'),
    replace(receipt, defReceipt, 'def _test_receipt'),
  ]),
  pytest.tamper('early end', 'return before the assertion', [
    replace(price, off, `return\n    ${off}`),
    replace(price, below, `if True:\n        return\n    ${below}`),
    replace(receipt, printed, `return\n    ${printed}`),
  ]),
  pytest.tamper('early end', 'os._exit(0) in a test', [
    replace(price, off, `import os\n    os._exit(0)\n    ${off}`),
  ]),
  pytest.tamper('early end', 'os._exit(0) in conftest', [
    append(
      'tests/conftest.py',
      '\n\nimport os\n\n\ndef pytest_sessionfinish(session, exitstatus):\n    os._exit(0)\n',
    ),
  ]),
  pytest.tamper('early end', 'os._exit in the source', [
    append('shop/price.py', '\n\nimport atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n'),
  ]),
  unittest.tamper('early end', 'os._exit(0) in setUpModule', [
    append(price, '\n\ndef tearDownModule():\n    import os\n    os._exit(0)\n'),
  ]),
  unittest.tamper('early end', 'sys.exit(0) at import of the package of tests', [
    write('tests/__init__.py', 'import os\n\nos._exit(0)\n'),
  ]),
]
