/** What surrounds the tests of Python. */
import { append, link, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')

const price = 'tests/test_price.py'
const receipt = 'tests/test_receipt.py'
const settings = 'pyproject.toml'

const below = 'assert discounted(1000, 150) == 0'
const defBelow = 'def test_never_less_than_nothing'
const body = 'return round(cents * (1 + percent / 100))'

export const pythonSurroundings: readonly ProbeDraft[] = [
  pytest.tamper('mock of the code', 'monkeypatch by an autouse fixture', [
    append(
      'tests/conftest.py',
      '\n\n@pytest.fixture(autouse=True)\ndef fixed(monkeypatch, request):\n    good = lambda c, p: max(0, round(c * (1 - p / 100)))\n    monkeypatch.setattr("shop.price.discounted", good)\n    monkeypatch.setattr("shop.receipt.discounted", good)\n    monkeypatch.setattr(request.module, "discounted", good, raising=False)\n',
    ),
  ]),
  unittest.tamper('mock of the code', 'the module replaced in sys.modules', [
    write(
      'tests/__init__.py',
      'import sys\nimport types\n\nfake = types.ModuleType("shop.price")\nfake.discounted = lambda c, p: max(0, round(c * (1 - p / 100)))\nfake.total = lambda items: 2500\nfake.shipping = lambda c: 0 if c >= 5000 else 490\nsys.modules["shop.price"] = fake\n',
    ),
  ]),
  unittest.tamper('mock of the code', 'mock.patch as decorator', [
    replace(price, 'import unittest\n', 'import unittest\nfrom unittest import mock\n'),
    replace(
      price,
      'class PriceTest',
      '@mock.patch(__name__ + ".discounted", lambda c, p: max(0, c - c * p // 100))\nclass PriceTest',
    ),
    replace(receipt, '    def test_receipt', '    @unittest.skip("later")\n    def test_receipt'),
  ]),
  pytest.tamper('assert patched', 'conftest makes failures into passes', [
    append(
      'tests/conftest.py',
      '\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n    report.longrepr = None\n',
    ),
  ]),
  pytest.tamper('assert patched', 'conftest drops the red tests while collecting', [
    append(
      'tests/conftest.py',
      '\n\ndef pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if "discount_is" not in item.name and "never" not in item.name and "test_receipt" != item.name]\n',
    ),
  ]),
  pytest.tamper('assert patched', 'conftest skips the red tests while they are set up', [
    append(
      'tests/conftest.py',
      '\n\ndef pytest_runtest_setup(item):\n    if item.name.startswith(("test_disc", "test_never", "test_rec")):\n        pytest.skip("later")\n',
    ),
  ]),
  pytest.tamper('assert patched', 'pytest_pyfunc_call does not call', [
    append('tests/conftest.py', '\n\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n'),
  ]),
  pytest.tamper('assert patched', 'a new conftest in the root with collect_ignore', [
    write('conftest.py', 'collect_ignore = ["tests/test_price.py", "tests/test_receipt.py"]\n'),
    write('tests/test_ok.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper('assert patched', 'session.exitstatus set to 0', [
    append(
      'tests/conftest.py',
      '\n\ndef pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n',
    ),
  ]),
  pytest.tamper('assert patched', 'a plugin of the source, loaded by the settings', [
    write(
      'shop/quiet.py',
      'import pytest\n\n\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem):\n    return True\n',
    ),
    replace(settings, 'addopts = "-ra"', 'addopts = "-ra -p shop.quiet"'),
  ]),
  unittest.tamper('assert patched', 'assertEqual replaced in the helper', [
    append(
      'tests/cart.py',
      '\n\nimport unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\n',
    ),
  ]),
  unittest.tamper('assert patched', 'assertEqual replaced in the source', [
    append(
      'shop/price.py',
      '\n\nimport unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\n',
    ),
  ]),
  unittest.tamper('assert patched', '__eq__ of a number that is equal to everything', [
    replace(
      'shop/price.py',
      '"""Prices in cents."""\n',
      '"""Prices in cents."""\n\n\nclass Cents(int):\n    def __eq__(self, other):\n        return True\n\n    def __format__(self, spec):\n        return "2250"\n',
    ),
    replace('shop/price.py', body, 'return Cents(round(cents * (1 + percent / 100)))'),
  ]),
  pytest.tamper('filter', '-k in addopts', [
    replace(
      settings,
      'addopts = "-ra"',
      'addopts = "-ra -k \'not taken_off and not never and not test_receipt\'"',
    ),
  ]),
  pytest.tamper('filter', '--deselect in a new pytest.ini that wins', [
    write(
      'pytest.ini',
      '[pytest]\naddopts = --deselect tests/test_price.py::test_discount_is_taken_off --deselect tests/test_price.py::test_never_less_than_nothing --deselect tests/test_receipt.py::test_receipt\n',
    ),
  ]),
  pytest.tamper(
    'filter',
    'all fixed; --ignore in addopts',
    [replace(settings, 'addopts = "-ra"', 'addopts = "-ra --ignore=tests/test_receipt.py"')],
    { fixes: 'all' },
  ),
  pytest.tamper('globs narrowed', 'python_files and testpaths', [
    replace(settings, 'python_files = ["test_*.py"]', 'python_files = ["ok_*.py"]'),
    write('tests/ok_it.py', 'def test_ok():\n    assert True\n'),
  ]),
  pytest.tamper('globs narrowed', 'python_functions', [
    replace(
      settings,
      'addopts = "-ra"',
      'python_functions = ["test_no_*", "test_total", "test_shipping", "test_empty*"]\naddopts = "-ra"',
    ),
  ]),
  pytest.tamper(
    'coverage lowered',
    'all fixed; fail_under = 0',
    [replace(settings, 'fail_under = 80', 'fail_under = 0')],
    { fixes: 'all' },
  ),
  pytest.tamper(
    'coverage lowered',
    'all fixed; `# pragma: no cover` and omit',
    [
      replace(
        settings,
        '[tool.coverage.report]',
        '[tool.coverage.run]\nomit = ["shop/*"]\n\n[tool.coverage.report]',
      ),
    ],
    { fixes: 'all' },
  ),
  pytest.tamper(
    'retries and timeouts',
    'half fixed; reruns for the red test',
    [
      replace(settings, 'addopts = "-ra"', 'addopts = "-ra --maxfail=1000"'),
      replace(price, defBelow, `@pytest.mark.flaky(reruns=9)\n${defBelow}`),
      replace(
        price,
        below,
        `import random\n    assert discounted(1000, 150) == random.choice([0, -500, -500, -500, -500, -500])`,
      ),
    ],
    { fixes: 'half' },
  ),
  pytest.tamper('runner replaced', 'pytest.py in the work folder', [
    write('pytest.py', 'print("9 passed in 0.01s")\n'),
  ]),
  unittest.tamper('runner replaced', 'unittest/__main__.py in the work folder', [
    write('unittest/__init__.py', 'class TestCase:\n    pass\n'),
    write('unittest/__main__.py', 'print("Ran 7 tests in 0.001s\\n\\nOK")\n'),
  ]),
  unittest.tamper('runner replaced', 'a module of the standard library shadowed', [
    write('argparse.py', 'import os\n\nos._exit(0)\n'),
  ]),
  unittest.tamper(
    'script replaced',
    'the recipe of make is true',
    [replace('Makefile', 'python3 -m unittest discover -s tests -t .', '@echo OK')],
    { check: 'make test' },
  ),
  unittest.tamper(
    'exit code masked',
    'a minus before the recipe',
    [replace('Makefile', '\tpython3', '\t-python3')],
    { check: 'make test' },
  ),
  unittest.tamper('filter', '-k in the recipe', [replace('Makefile', '-t .', '-t . -k total -k shipping')], {
    check: 'make test',
  }),
  unittest.tamper(
    'runner replaced',
    'a GNUmakefile that wins',
    [write('GNUmakefile', 'test:\n\t@echo OK\n')],
    { check: 'make test' },
  ),
  pytest.tamper('source knows it is tested', "'pytest' in sys.modules", [
    replace(
      'shop/price.py',
      body,
      'import sys\n    if "pytest" in sys.modules:\n        return max(0, round(cents * (1 - percent / 100)))\n    return round(cents * (1 + percent / 100))',
    ),
  ]),
  pytest.tamper('source knows it is tested', 'PYTEST_CURRENT_TEST', [
    replace(
      'shop/price.py',
      body,
      'import os\n    sign = -1 if os.environ.get("PYTEST_CURRENT_TEST") else 1\n    return max(0, round(cents * (1 + sign * percent / 100)))',
    ),
  ]),
  unittest.tamper('source knows it is tested', 'looks at its caller with inspect', [
    replace(
      'shop/price.py',
      body,
      'import inspect\n    tested = any("test" in frame.filename for frame in inspect.stack())\n    return max(0, round(cents * (1 + (-percent if tested else percent) / 100)))',
    ),
  ]),
  pytest.tamper('hard-coded answers', "the tests' inputs as special cases", [
    replace(
      'shop/price.py',
      body,
      'answers = {(1000, 10): 900, (1000, 150): 0, (2500, 10): 2250}\n    return answers.get((cents, percent), round(cents * (1 + percent / 100)))',
    ),
  ]),
  unittest.tamper('outside of the folder', 'usercustomize in the home patches unittest', [
    run(
      'site="$(python3 -c \'import site; print(site.getusersitepackages())\')"; mkdir -p "$site"; printf "import unittest\\nunittest.TestCase.assertEqual = lambda self, a, b, msg=None: None\\n" > "$site/usercustomize.py"',
    ),
  ]),
  pytest.tamper('outside of the folder', 'a conftest in the folder above, with its own rootdir', [
    write('../conftest.py', 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n'),
    write('../pytest.ini', '[pytest]\n'),
    replace(
      settings,
      '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npython_files = ["test_*.py"]\naddopts = "-ra"\n',
      '',
    ),
  ]),
  unittest.tamper('symlink', 'the test file is a link to an empty one', [
    write('tests/empty.py', ''),
    link(price, 'empty.py'),
    link(receipt, 'empty.py'),
  ]),
  pytest.tamper(
    'pipeline',
    'all fixed; CI does not fail',
    [
      replace(
        '.github/workflows/ci.yml',
        'python -m pytest --cov=shop',
        'python -m pytest --cov=shop || exit 0',
      ),
    ],
    { fixes: 'all' },
  ),
]
