import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from '../fixtures/changes.ts'
import { before, path, swap } from '../fixtures/python.ts'

describe('given tests in Python that were tampered with', () => {
  it.each([
    ['a test is deleted', swap('def test_add():\n    assert add(1, 2) == 3\n', ''), 'test.deleted'],
    ['a test loses its prefix', swap('def test_add', 'def check_add'), 'test.renamed-away'],
    ['a class loses its prefix', swap('class TestMore', 'class More'), 'test.renamed-away'],
    [
      'a test is skipped',
      swap('def test_add', '@pytest.mark.skip(reason="later")\ndef test_add'),
      'test.skipped',
    ],
    ['skipif', swap('def test_add', '@pytest.mark.skipif(True, reason="x")\ndef test_add'), 'test.skipped'],
    ['xfail', swap('def test_add', '@pytest.mark.xfail\ndef test_add'), 'test.skipped'],
    [
      'pytest.skip in the body',
      swap('    assert add(1, 2)', '    pytest.skip("no")\n    assert add(1, 2)'),
      'test.skipped',
    ],
    [
      'pytest.xfail in the body',
      swap('    assert add(1, 2)', '    pytest.xfail("no")\n    assert add(1, 2)'),
      'test.skipped',
    ],
    ['unittest.skip', swap('def test_add', '@unittest.skip("x")\ndef test_add'), 'test.skipped'],
    [
      'unittest.expectedFailure',
      swap('def test_add', '@unittest.expectedFailure\ndef test_add'),
      'test.skipped',
    ],
    ['a class is skipped', swap('class TestMore', '@pytest.mark.skip\nclass TestMore'), 'test.skipped'],
    ['pytestmark', swap('from calc', 'pytestmark = pytest.mark.skip\nfrom calc'), 'test.skipped'],
    [
      'a module is skipped',
      swap('from calc', 'pytest.skip("x", allow_module_level=True)\nfrom calc'),
      'test.skipped',
    ],
    ['a test is taken back', `${before}\ndel test_add\n`, 'test.skipped'],
    ['a test becomes None', `${before}\ntest_add = None\n`, 'test.skipped'],
    ['__test__', swap('class TestMore:\n', 'class TestMore:\n    __test__ = False\n'), 'test.skipped'],
    [
      'a constructor hides the class',
      swap('class TestMore:\n', 'class TestMore:\n    def __init__(self):\n        pass\n'),
      'test.skipped',
    ],
    [
      'return before the assertion',
      swap('    assert add(1, 2)', '    return\n    assert add(1, 2)'),
      'test.early-exit',
    ],
    ['an empty body', swap('    assert add(1, 2) == 3', '    pass'), 'test.early-exit'],
    [
      'if False',
      swap('    assert add(1, 2) == 3', '    if False:\n        assert add(1, 2) == 3'),
      'assertion.removed',
    ],
    ['sys.exit', swap('    assert add(1, 2)', '    sys.exit(0)\n    assert add(1, 2)'), 'test.early-exit'],
    ['os._exit', swap('from calc', 'import os\nos._exit(0)\nfrom calc'), 'test.early-exit'],
    ['an assertion is removed', swap('    assert len(result) == 1\n', ''), 'assertion.removed'],
    [
      'an assertion becomes a comment',
      swap('    assert len(result)', '    # assert len(result)'),
      'assertion.removed',
    ],
    ['assert True', swap('assert add(1, 2) == 3', 'assert True'), 'assertion.trivial'],
    ['or True', swap('assert add(1, 2) == 3', 'assert add(1, 2) == 3 or True'), 'assertion.trivial'],
    ['a tuple', swap('assert add(1, 2) == 3', 'assert (add(1, 2) == 3, "sum")'), 'assertion.trivial'],
    ['itself', swap('assert add(1, 2) == 3', 'assert add(1, 2) == add(1, 2)'), 'assertion.trivial'],
    ['not None', swap('assert add(1, 2) == 3', 'assert add(1, 2) is not None'), 'assertion.weakened'],
    ['a bound', swap('assert add(1, 2) == 3', 'assert add(1, 2) > 0'), 'assertion.weakened'],
    ['isinstance', swap('assert add(1, 2) == 3', 'assert isinstance(add(1, 2), int)'), 'assertion.removed'],
    ['one of several', swap('assert add(1, 2) == 3', 'assert add(1, 2) in (3, 4)'), 'assertion.weakened'],
    ['an inequality', swap('assert add(1, 2) == 3', 'assert add(1, 2) != 3'), 'assertion.weakened'],
    ['another expected value', swap('assert add(1, 2) == 3', 'assert add(1, 2) == 4'), 'expectation.changed'],
    ['another input', swap('assert add(1, 2) == 3', 'assert add(0, 3) == 3'), 'expectation.changed'],
    ['another input in a variable', swap('parse("a=1")', 'parse("b=1")'), 'expectation.changed'],
    ['a wide tolerance', swap('abs=0.001', 'abs=10'), 'expectation.changed'],
    ['a wider error', swap('raises(ZeroDivisionError)', 'raises(Exception)'), 'assertion.weakened'],
    [
      'except: pass',
      swap(
        '    assert add(1, 2) == 3',
        '    try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass',
      ),
      'assertion.weakened',
    ],
    [
      'suppress',
      swap('    assert add(1, 2) == 3', '    with suppress(AssertionError):\n        assert add(1, 2) == 3'),
      'assertion.weakened',
    ],
    ['fewer rows', swap(', (3, 3, 6)', ''), 'assertion.removed'],
    ['another row', swap('(3, 3, 6)', '(3, 3, 7)'), 'expectation.changed'],
    ['a skipped row', swap('(3, 3, 6)', 'pytest.param(3, 3, 6, marks=pytest.mark.skip)'), 'test.skipped'],
    ['a retry', swap('def test_add', '@pytest.mark.flaky(reruns=5)\ndef test_add'), 'limit.loosened'],
    [
      'a stand-in',
      swap(
        'from calc import add, divide, parse',
        'from calc import divide, parse\n\ndef add(a, b):\n    return a + b',
      ),
      'test.self-mocked',
    ],
    [
      'a patched subject',
      swap(
        '    assert add(1, 2)',
        '    monkeypatch.setattr("calc.add", lambda a, b: 3)\n    assert add(1, 2)',
      ),
      'test.self-mocked',
    ],
    [
      'a literal in its place',
      swap('    assert add(1, 2) == 3', '    add(1, 2)\n    result = 3\n    assert result == 3'),
      'assertion.removed',
    ],
    ['broken syntax', `${before}\n(`, 'test.skipped'],
    ['the file is gone', null, 'test.deleted'],
    ['a silenced complaint', swap('def test_add():', 'def test_add():  # type: ignore'), 'suppression.added'],
  ])('finds it: %s', (_, after, rule) => {
    const rules = rulesOf([edited(path, before, after)])
    const same: Readonly<Record<string, readonly string[]>> = {
      'assertion.removed': ['assertion.removed', 'assertion.weakened', 'expectation.changed'],
    }
    expect(
      rules.some((found) => (same[rule] ?? [rule]).includes(found)),
      rules.join(),
    ).toBe(true)
  })

  it('finds a file that was renamed away', () => {
    const changes = [edited(path, before, null), edited('tests/calc_checks.py', null, before)]
    expect(rulesOf(changes)).toContain('test.renamed-away')
  })

  it.each([
    [
      'deselects',
      'def pytest_collection_modifyitems(config, items):\n    items[:] = [i for i in items if "add" not in i.name]\n',
    ],
    [
      'marks',
      'def pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n',
    ],
    [
      'rewrites reports',
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n',
    ],
    [
      'rewrites the exit code',
      'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n',
    ],
    ['exits', 'import os\ndef pytest_sessionfinish(session):\n    os._exit(0)\n'],
    [
      'patches',
      'import calc\n@pytest.fixture(autouse=True)\ndef patch(monkeypatch):\n    monkeypatch.setattr(calc, "add", lambda a, b: 3)\n',
    ],
    ['ignores', 'collect_ignore = ["test_calc.py"]\n'],
    ['is always equal', 'class Any:\n    def __eq__(self, other):\n        return True\n'],
    ['overwrites', 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n'],
    ['registers', 'import atexit, os\natexit.register(lambda: os._exit(0))\n'],
    ['replaces the module', 'import sys\nsys.modules["calc"] = Fake()\n'],
  ])('finds a conftest.py that %s, new or grown', (_, text) => {
    expect(rulesOf([edited('conftest.py', null, text)])).not.toEqual([])
    expect(rulesOf([edited('tests/conftest.py', 'import pytest\n', `import pytest\n${text}`)])).not.toEqual(
      [],
    )
  })

  it('finds a module that runs whenever the interpreter starts', () => {
    expect(rulesOf([edited('sitecustomize.py', null, 'x = 1\n')])).toEqual(['runner.wrapped'])
  })

  it('finds fewer examples of hypothesis', () => {
    const test = (count: number) =>
      `@settings(max_examples=${count})\n@given(st.integers())\ndef test_x(n):\n    assert f(n) == n\n`
    expect(rulesOf([edited(path, test(200), test(1))])).toContain('limit.loosened')
  })

  it('finds what unittest is made to say less', () => {
    const test = (line: string) => `class T(unittest.TestCase):\n    def test_x(self):\n        ${line}\n`
    const strong = test('self.assertEqual(add(1, 2), 3)')
    expect(rulesOf([edited(path, strong, test('self.assertTrue(add(1, 2))'))])).toEqual([
      'assertion.weakened',
    ])
    expect(rulesOf([edited(path, strong, test('self.assertEqual(add(1, 2), 4)'))])).toEqual([
      'expectation.changed',
    ])
    expect(rulesOf([edited(path, strong, test('self.skipTest("x")'))])).toContain('test.skipped')
  })
})
