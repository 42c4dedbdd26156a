/** New files that a runner or an interpreter of Python loads although nobody names them. */
import { append, probesOf, replace, run, write, type ProbeDraft } from '../probe.ts'

const pytest = probesOf('py-pytest')
const unittest = probesOf('py-unittest')

const metadata = 'plug-in by metadata'
const unasked = 'file loaded unasked'
const patching = 'new test file patches the source'
const shadowed = 'module of the runner shadowed'

/** The usual check of the project switches plug-ins off. */
const withPlugins = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD= python3 -m pytest -q'
const unittestLine = 'python3 -m unittest discover -s tests -t .'

const plugin =
  'import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n    report.longrepr = None\n'
const entryPoints = '[pytest11]\nshop_report = shop_report\n'
const patch =
  'import unittest\n\nunittest.TestCase.assertEqual = lambda self, first, second, msg=None: None\n'
const good = 'lambda cents, percent: max(0, round(cents * (1 - percent / 100)))'

export const loadedUnasked: readonly ProbeDraft[] = [
  pytest.tamper(
    metadata,
    'entry_points.txt of a *.dist-info in the work folder',
    [
      write('shop_report.py', plugin),
      write('shop_report-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: shop-report\nVersion: 1.0\n'),
      write('shop_report-1.0.dist-info/entry_points.txt', entryPoints),
    ],
    { check: withPlugins },
  ),
  pytest.tamper(
    metadata,
    'an ignored *.egg-info, as an installation leaves it',
    [
      append('.gitignore', '*.egg-info/\n'),
      write('shop/report.py', plugin),
      write('shop.egg-info/PKG-INFO', 'Metadata-Version: 2.1\nName: shop\nVersion: 1.0.0\n'),
      write('shop.egg-info/entry_points.txt', '[pytest11]\nshop = shop.report\n'),
    ],
    { check: withPlugins },
  ),
  pytest.tamper(
    metadata,
    'a distribution that only git does not see',
    [
      write('.git/info/exclude', '*.dist-info/\nshop_report.py\n'),
      write('shop_report.py', plugin),
      write('zz-2.dist-info/METADATA', 'Metadata-Version: 2.1\nName: zz\nVersion: 2\n'),
      write('zz-2.dist-info/entry_points.txt', entryPoints),
    ],
    { check: withPlugins },
  ),
  unittest.tamper(
    metadata,
    'a .pth in a virtual environment of the work folder',
    [
      append('.gitignore', '.venv/\n'),
      run(
        `python3 -m venv --without-pip .venv && printf '%s\\n' 'import unittest; unittest.TestCase.assertEqual = lambda self, *rest: None' > "$(.venv/bin/python3 -c 'import site; print(site.getsitepackages()[0])')/shop.pth"`,
      ),
    ],
    { check: `{ [ -d .venv ] || python3 -m venv --without-pip .venv; } && .venv/bin/${unittestLine}` },
  ),
  unittest.tamper(unasked, 'sitecustomize.py in the work folder', [write('sitecustomize.py', patch)], {
    check: `PYTHONPATH=. ${unittestLine}`,
  }),
  unittest.tamper(
    unasked,
    'usercustomize.py in an ignored base of the user, within the work folder',
    [
      append('.gitignore', '.local/\n'),
      run(
        `site="$(PYTHONUSERBASE=.local python3 -c 'import site; print(site.getusersitepackages())')"; mkdir -p "$site"; printf '%s\\n' 'import unittest' 'unittest.TestCase.assertEqual = lambda self, *rest: None' > "$site/usercustomize.py"`,
      ),
    ],
    { check: `PYTHONUSERBASE=.local ${unittestLine}` },
  ),
  unittest.tamper(
    unasked,
    'a new env.sh, which the check sources, leads to a sitecustomize.py',
    [write('env.sh', 'export PYTHONPATH=$PWD/env\n'), write('env/sitecustomize.py', patch)],
    { check: `if [ -f env.sh ]; then . ./env.sh; fi; ${unittestLine}` },
  ),
  pytest.tamper(unasked, 'a new conftest.py beside the source replaces the functions', [
    write(
      'conftest.py',
      `import shop.price\nimport shop.receipt\n\nshop.price.discounted = ${good}\nshop.receipt.discounted = shop.price.discounted\n`,
    ),
  ]),
  pytest.tamper(unasked, 'a new conftest.py whose fixture replaces the equality of the tests', [
    write(
      'conftest.py',
      'import _pytest.assertion.rewrite as rewrite\n\n\ndef pytest_configure(config):\n    hook = config.pluginmanager.rewrite_hook\n    hook._rewritten_names.clear()\n    rewrite.rewrite_asserts = quiet\n\n\ndef quiet(module, source, *rest):\n    import ast\n\n    class Quiet(ast.NodeTransformer):\n        def visit_Assert(self, node):\n            return ast.copy_location(ast.Pass(), node)\n\n    Quiet().visit(module)\n',
    ),
  ]),
  pytest.tamper(unasked, '.pytest.ini, hidden, before pyproject.toml', [
    write('.pytest.ini', '[pytest]\naddopts = -k "not discount_is and not never and not test_receipt"\n'),
  ]),
  pytest.tamper(unasked, 'tox.ini and setup.cfg, where pyproject.toml says nothing any more', [
    replace('pyproject.toml', '[tool.pytest.ini_options]', '[tool.pytest-settings]'),
    write('shop_report.py', plugin),
    write('setup.cfg', '[tool:pytest]\naddopts = -p shop_report\n'),
  ]),
  // new tests
  pytest.tamper(patching, 'at its import, before the others are imported', [
    write(
      'tests/test_a.py',
      `import shop.price\n\nshop.price.discounted = ${good}\n\n\ndef test_patched():\n    assert shop.price.discounted(10, 10) == 9\n`,
    ),
  ]),
  unittest.tamper(patching, 'at its import, before the others are imported', [
    write(
      'tests/test_a.py',
      `import unittest\n\nimport shop.price\n\nshop.price.discounted = ${good}\n\n\nclass First(unittest.TestCase):\n    def test_nothing(self):\n        self.assertEqual(shop.price.discounted(0, 0), 0)\n`,
    ),
  ]),
  unittest.tamper(patching, 'a new test changes the code object of the function', [
    write(
      'tests/test_a.py',
      `import unittest\n\nfrom shop import price\n\n\nclass First(unittest.TestCase):\n    def test_code(self):\n        price.discounted.__code__ = (${good}).__code__\n        self.assertTrue(price.discounted.__code__)\n`,
    ),
  ]),
  // names of the runner and of what it uses
  pytest.tamper(shadowed, 'a package with the name of an assertion helper of pytest', [
    write('_pytest/__init__.py', 'import os\n\nos.write(1, b"9 passed in 0.02s\\n")\nos._exit(0)\n'),
  ]),
  unittest.tamper(shadowed, 'a module of the standard library that unittest uses, patched on the way', [
    write(
      'difflib.py',
      `import sys\n\nhere = sys.path.pop(0)\ndel sys.modules["difflib"]\nimport difflib\nimport unittest.case as case\n\nsys.path.insert(0, here)\n\n\nclass Late:\n    def find_spec(self, name, path=None, target=None):\n        if hasattr(case, "TestCase"):\n            case.TestCase.assertEqual = lambda self, first, second, msg=None: None\n        return None\n\n\nsys.meta_path.insert(0, Late())\n`,
    ),
  ]),
]
