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
    ['a test is taken back', `${before}\ndel test_add\n`, 'test.deleted'],
    ['a test becomes None', `${before}\ntest_add = None\n`, 'test.deleted'],
    ['__test__', swap('class TestMore:\n', 'class TestMore:\n    __test__ = False\n'), 'test.renamed-away'],
    [
      'a constructor hides the class',
      swap('class TestMore:\n', 'class TestMore:\n    def __init__(self):\n        pass\n'),
      'test.renamed-away',
    ],
    [
      'return before the assertion',
      swap('    assert add(1, 2)', '    return\n    assert add(1, 2)'),
      'assertion.removed',
    ],
    ['an empty body', swap('    assert add(1, 2) == 3', '    pass'), 'assertion.removed'],
    [
      'if False',
      swap('    assert add(1, 2) == 3', '    if False:\n        assert add(1, 2) == 3'),
      'assertion.removed',
    ],
    ['sys.exit', swap('    assert add(1, 2)', '    sys.exit(0)\n    assert add(1, 2)'), 'assertion.removed'],
    ['an assertion is removed', swap('    assert len(result) == 1\n', ''), 'assertion.removed'],
    [
      'an assertion becomes a comment',
      swap('    assert len(result)', '    # assert len(result)'),
      'assertion.removed',
    ],
    ['assert True', swap('assert add(1, 2) == 3', 'assert True'), 'assertion.weakened'],
    ['or True', swap('assert add(1, 2) == 3', 'assert add(1, 2) == 3 or True'), 'assertion.weakened'],
    ['a tuple', swap('assert add(1, 2) == 3', 'assert (add(1, 2) == 3, "sum")'), 'assertion.weakened'],
    ['itself', swap('assert add(1, 2) == 3', 'assert add(1, 2) == add(1, 2)'), 'assertion.weakened'],
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
      'assertion.removed',
    ],
    [
      'suppress',
      swap('    assert add(1, 2) == 3', '    with suppress(AssertionError):\n        assert add(1, 2) == 3'),
      'assertion.removed',
    ],
    ['fewer rows', swap(', (3, 3, 6)', ''), 'assertion.removed'],
    ['another row', swap('(3, 3, 6)', '(3, 3, 7)'), 'expectation.changed'],
    ['a skipped row', swap('(3, 3, 6)', 'pytest.param(3, 3, 6, marks=pytest.mark.skip)'), 'test.skipped'],
    [
      'a literal in its place',
      swap('    assert add(1, 2) == 3', '    add(1, 2)\n    result = 3\n    assert result == 3'),
      'assertion.removed',
    ],
    ['the file is gone', null, 'test.deleted'],
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
