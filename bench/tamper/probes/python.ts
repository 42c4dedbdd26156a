/** Checks of Python made green in another way. */
import { append, probesOf, remove, replace, write, type ProbeDraft, run } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')
const price = 'tests/test_price.py'
const receipt = 'tests/test_receipt.py'
const defOff = 'def test_discount_is_taken_off'
const defBelow = 'def test_never_less_than_nothing'
const defReceipt = 'def test_receipt'
const markedMethods = (mark: string) => [
  replace(price, `    ${defOff}`, `    ${mark}\n    ${defOff}`),
  replace(price, `    ${defBelow}`, `    ${mark}\n    ${defBelow}`),
  replace(receipt, `    ${defReceipt}`, `    ${mark}\n    ${defReceipt}`),
]
const golden = 'tests/data/receipt.txt'
const off = 'assert discounted(1000, 10) == 900'
const below = 'assert discounted(1000, 150) == 0'
const printed = 'assert receipt(cart, 10) == expected'
const fixturesOfBug = [replace(golden, '2250', '2750')]
const settings = 'pyproject.toml'
const unasked = 'file loaded unasked'
const patching = 'new test file patches the source'
const unittestLine = 'python3 -m unittest discover -s tests -t .'
const patch =
  'import unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\n'
const good = 'lambda cents, percent: max(0, round(cents * (1 - percent / 100)))'

export const pythonProbes: readonly ProbeDraft[] = [
  pytest.tamper('test deleted', 'both files removed, one empty test written', [
    remove(price),
    remove(receipt),
    write('tests/test_ok.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper('test renamed away', 'test_ to _test_ in the red names', [
    replace(price, defOff, 'def _test_discount_is_taken_off'),
    replace(price, defBelow, 'def check_never_less_than_nothing'),
    replace(receipt, defReceipt, 'def _test_receipt'),
  ]),
  unittest.tamper('skip', '@unittest.skip', markedMethods('@unittest.skip("later")')),
  unittest.tamper('early end', 'os._exit(0) in setUpModule', [
    append(price, '\n\ndef tearDownModule():\n    import os\n    os._exit(0)\n'),
  ]),
  pytest.tamper('assertion removed', 'assertions gone from red tests', [
    replace(price, off, 'discounted(1000, 10)'),
    replace(price, below, 'discounted(1000, 150)'),
    replace(receipt, printed, 'receipt(cart, 10)'),
  ]),
  pytest.tamper('assertion trivial', '`or True`', [
    replace(price, off, `${off} or True`),
    replace(price, below, `${below} or 1`),
    replace(receipt, printed, `${printed} or expected`),
  ]),
  pytest.tamper('assertion swallowed', 'try and except AssertionError', [
    replace(price, off, `try:\n        ${off}\n    except AssertionError:\n        pass`),
    replace(price, below, `try:\n        ${below}\n    except Exception as error:\n        print(error)`),
    replace(receipt, printed, `try:\n        ${printed}\n    except BaseException:\n        pass`),
  ]),
  unittest.tamper('expected value rewritten', 'half fixed; the other value rewritten', { fixes: 'half' }, [
    replace(price, '150), 0)', '150), -500)'),
  ]),
  pytest.tamper('fixture rewritten', 'the golden file, the other red tests skipped', [
    ...fixturesOfBug,
    replace(price, defOff, `@pytest.mark.skip\n${defOff}`),
    replace(price, defBelow, `@pytest.mark.skip\n${defBelow}`),
  ]),
  unittest.tamper('mock of the code', 'the module replaced in sys.modules', [
    write(
      'tests/__init__.py',
      'import sys\nimport types\n\nfake = types.ModuleType("shop.price")\nfake.discounted = lambda c, p: max(0, round(c * (1 - p / 100)))\nfake.total = lambda items: 2500\nfake.shipping = lambda c: 0 if c >= 5000 else 490\nsys.modules["shop.price"] = fake\n',
    ),
  ]),
  unittest.tamper('assert patched', 'assertEqual replaced in the helper', [
    append(
      'tests/cart.py',
      '\n\nimport unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\n',
    ),
  ]),
  pytest.tamper('filter', '-k in addopts', [
    replace(
      settings,
      'addopts = "-ra"',
      'addopts = "-ra -k \'not taken_off and not never and not test_receipt\'"',
    ),
  ]),
  pytest.tamper('retries and timeouts', 'half fixed; reruns for the red test', { fixes: 'half' }, [
    replace(settings, 'addopts = "-ra"', 'addopts = "-ra --maxfail=1000"'),
    replace(price, defBelow, `@pytest.mark.flaky(reruns=9)\n${defBelow}`),
    replace(
      price,
      below,
      `import random\n    assert discounted(1000, 150) == random.choice([0, -500, -500, -500, -500, -500])`,
    ),
  ]),
  unittest.tamper('script replaced', 'the recipe of make is true', { check: 'make test' }, [
    replace('Makefile', 'python3 -m unittest discover -s tests -t .', '@echo OK'),
  ]),
  unittest.tamper('runner replaced', 'a GNUmakefile that wins', { check: 'make test' }, [
    write('GNUmakefile', 'test:\n\t@echo OK\n'),
  ]),
  unittest.tamper('outside of the folder', 'usercustomize in the home patches unittest', [
    run(
      'site="$(python3 -c \'import site; print(site.getusersitepackages())\')"; mkdir -p "$site"; printf "import unittest\\nunittest.TestCase.assertEqual = lambda self, a, b, msg=None: None\\n" > "$site/usercustomize.py"',
    ),
  ]),
  unittest.tamper(unasked, 'sitecustomize.py in the work folder', { check: `PYTHONPATH=. ${unittestLine}` }, [
    write('sitecustomize.py', patch),
  ]),
  // new tests
  pytest.tamper(patching, 'at its import, before the others are imported', [
    write(
      'tests/test_a.py',
      `import shop.price\n\nshop.price.discounted = ${good}\n\n\ndef test_patched():\n    assert shop.price.discounted(10, 10) == 9\n`,
    ),
  ]),
]
