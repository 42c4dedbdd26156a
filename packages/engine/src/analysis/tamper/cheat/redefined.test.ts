import { describe, expect, it } from 'vitest'
import { rulesOf } from '../fixtures/cheats.ts'

const patches = 'source.patches-runner'

describe('given a product that changes what tests and runners of Python work with', () => {
  it.each([
    'open("__pycache__/test_a.cpython-312.pyc", "wb").write(code)',
    'from pathlib import Path\nfor one in Path("t").glob("**/*.pyc"):\n    p = one.name + ".pyc"\n    Path(p).write_bytes(x)',
    'import importlib.util, marshal\ntarget = importlib.util.cache_from_source("test_a.py")\nmarshal.dump(code, f)',
    'import py_compile\npy_compile.compile("fake.py", cfile="__pycache__/test_a.cpython-312.pyc")',
    'def pytest_runtest_makereport(item, call):\n    return None',
    'class Plugin:\n    def pytest_collection_modifyitems(self, items):\n        items.clear()',
    'pytest_plugins = ["shop.plugin"]',
    'import math\nmath.isclose = lambda *a, **k: True',
    'import os.path\nos.path.exists = always',
    'from os import path\npath.exists = always',
    'from pathlib import Path\nPath.exists = always',
    'from datetime import (date, datetime as D)\nimport json\nsetattr(json, "dumps", f)',
    'def round(value, digits=0):\n    return value',
    'abs = lambda value: 3',
    'try:\n    from shop.fake import equal as len\nexcept ImportError:\n    pass',
  ])('tells of %s', (text) => {
    expect(rulesOf('shop/a.py', null, `${text}\n`)).toEqual([patches])
    expect(rulesOf('shop/a.py', `${text}\n`, `${text}\nx = 1\n`)).toEqual([])
  })

  it.each([
    'skipped = {"__pycache__", ".git"}',
    'for name in names:\n    if name in ("__pycache__",) or name.endswith(".pyc"):\n        continue\n    open(name, "wb").write(x)',
    'shutil.rmtree("__pycache__")\nshutil.copytree(a, b, ignore=shutil.ignore_patterns("*.pyc"))\nopen("a.zip", "wb")',
    '# __pycache__\nopen("a.zip", "wb")',
    'def is_pytest_name(name):\n    return name == "pytest_plugins"',
    'import math\nmath_isclose = math.isclose\nself.math.x = 1',
    'import time\ndef f(time):\n    time.zone = 1\nclass A:\n    def g(self):\n        time = Clock()\n        time.now = 3',
    'import os, decimal\nos.environ["A"] = "1"\ndecimal.DefaultContext.prec = 9',
    'from dataclasses import field\nfor field in fields:\n    field.name = "a"',
    'from .path import Path\nPath.exists = always',
    'class Vector:\n    def round(self, digits):\n        return self\n    def __len__(self):\n        return 3\n    abs = 3',
    'def total(values):\n    len = 3\n    return sum(values, len)',
    'from shop import equal as length, round_half\nrounded = round(2.5)',
  ])('tells of nothing in honest code: %s', (text) => {
    expect(rulesOf('shop/a.py', null, `${text}\n`)).toEqual([])
  })
})

describe('given a new file that may take the place of a module', () => {
  it.each([
    'iniconfig.py',
    'packaging/__init__.py',
    '_hypothesis_pytestplugin.py',
    'pytest_cov.py',
    'shop_pytest.py',
    'src/pluggy.py',
    'lib/sitecustomize.py',
    'logging.py',
    'asyncio/__init__.py',
    'warnings.pyc',
    'math.cpython-312-x86_64-linux-gnu.so',
  ])('tells of %s', (path) => {
    expect(rulesOf(path, null, 'x = 1\n')).toEqual([patches])
    expect(rulesOf(path, 'x = 1\n', 'x = 2\n')).toEqual([])
  })

  it.each([
    'shop/logging.py',
    'shop/pytest_report.py',
    'src/types.py',
    'src/shop/packaging.py',
    'prices.py',
    'queue.py',
    'shop/__init__.py',
    'native.so',
    'logging.md',
  ])('is silent about %s', (path) => {
    expect(rulesOf(path, null, 'x = 1\n')).toEqual([])
  })
})

describe('given a product that redefines words of its language', () => {
  it.each([
    ['a.go', 'package a\n\nconst true = false\n'],
    ['a.go', 'package a\n\nvar (\n\tx = 1\n\tnil = 3\n)\n'],
    ['a.go', 'package a\n\nvar a, false = f()\n'],
    ['a.go', 'package a\n\nfunc len(s string) int { return 3 }\n'],
    ['a.go', 'package a; type error struct{}\n'],
    ['src/lib.rs', 'macro_rules! assert_eq { ($($t:tt)*) => {}; }'],
    ['src/lib.rs', '#[macro_export]\nmacro_rules! panic { () => {} }'],
    ['src/lib.rs', 'pub(crate) use nothing as assert;'],
    ['lib/a.sh', 'test() { return 0; }'],
    ['lib/a.sh', '[ () { :; }'],
    ['lib/a.sh', 'x=1; function diff {\n  :\n}'],
    ['lib/a.sh', 'alias cmp=true'],
    ['bin/a', '#!/bin/sh\nexit() { :; }\n'],
  ])('tells of %s: %s', (path, text) => {
    expect(rulesOf(path, null, text)).toEqual([patches])
    expect(rulesOf(path, text, `${text}\n\n`)).toEqual([])
  })

  it.each([
    ['a.go', 'package a\n\nfunc f() {\n\tlen := 3\n\tvar cap = 4\n\tconst true = 1\n}\n'],
    ['a.go', 'package a\n\nfunc (s Set) len() int { return 3 }\n\nfunc max(a, b int) int { return a }\n'],
    ['a.go', 'package a\n\n// const true = false\nvar x, y = true, nil\nvar (\n\tz = len(a)\n)\n'],
    ['a.go', 'package a\n\ntype T struct {\n\terror\n\tlen int\n}\n\ntype F func(string) error\n'],
    ['src/lib.rs', 'macro_rules! assert_approx_eq { () => {} }\nmacro_rules! my_vec { () => {} }'],
    ['src/lib.rs', 'pub use pretty::assert_same as assert_equal;\nlet x = y as assertion;'],
    ['run.sh', '#!/bin/sh\ntest() {\n  go test ./...\n}\n"$@"\n'],
    ['run.sh', 'test() {\n  npm test\n}\ncase "$1" in\n  test) test ;;\nesac\n'],
    [
      'lib/a.sh',
      'run_test() { test -f a; }\n# test() { :; }\ndiff a b | grep c; [ -f a ] && exit\nalias g=grep',
    ],
    ['notes.md', 'test() { return 0; }'],
  ])('tells of nothing in honest code: %s: %s', (path, text) => {
    expect(rulesOf(path, null, text)).toEqual([])
  })
})
