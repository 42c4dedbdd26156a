import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from '../fixtures/changes.ts'
import { before, path, swap } from '../fixtures/python.ts'

describe('given honest edits of tests in Python', () => {
  const lines = before.split('\n')
  it.each([
    ['a new test', `${before}\n\ndef test_new():\n    assert add(5, 5) == 10\n`],
    [
      'a new assertion',
      swap('    assert len(result) == 1', '    assert len(result) == 1\n    assert "a" in result'),
    ],
    ['a stronger assertion', swap('assert len(result) == 1', 'assert len(result) == 1 and True')],
    [
      'comments and blank lines',
      lines.map((line) => (line.startsWith('def') ? `# about it\n${line}  # here` : line)).join('\n\n'),
    ],
    ['other quotes', before.replaceAll('"', "'")],
    ['windows line ends', before.replaceAll('\n', '\r\n')],
    ['a row more', swap('(3, 3, 6)]', '(3, 3, 6), (4, 4, 8)]')],
    ['a renamed test', swap('def test_add():', 'def test_add_of_two_numbers():')],
    ['a message', swap('assert add(1, 2) == 3', 'assert add(1, 2) == 3, "wrong sum"')],
    [
      'another order',
      `${before.slice(before.indexOf('def test_parse'))}\n${before.slice(0, before.indexOf('def test_parse'))}`,
    ],
    ['types', swap('def test_add():', 'def test_add() -> None:')],
    ['a docstring', swap('    assert add(1, 2)', '    """Adds."""\n    assert add(1, 2)')],
    ['a renamed function', before.replaceAll('add(', 'sum_of(').replace('import add', 'import sum_of')],
    [
      'another import style',
      before.replace(
        'from calc import add, divide, parse',
        'from calc import (\n    add,\n    divide,\n    parse,\n)',
      ),
    ],
    [
      'a fixture',
      swap('def test_add():', '@pytest.fixture\ndef numbers():\n    return [1]\n\n\ndef test_add():'),
    ],
    ['a licence', `# Copyright\n${before}`],
    ['a timeout', swap('def test_add', '@pytest.mark.timeout(5)\ndef test_add')],
    [
      'a test for another platform',
      `${before}\n\n@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_posix():\n    assert add(1, 1) == 2\n`,
    ],
    [
      'merged tests',
      swap('def test_add():\n    assert add(1, 2) == 3\n', '').replace(
        '        assert add(2, 2) == 4',
        '        assert add(2, 2) == 4\n        assert add(1, 2) == 3',
      ),
    ],
    [
      'into a table',
      swap('def test_add():\n    assert add(1, 2) == 3\n', '').replace('(3, 3, 6)]', '(3, 3, 6), (1, 2, 3)]'),
    ],
    [
      'split',
      swap(
        '    assert len(result) == 1\n',
        '\n\ndef test_parse_length():\n    result = parse("a=1")\n    assert len(result) == 1\n',
      ),
    ],
  ])('finds nothing: %s', (_, after) => {
    expect(rulesOf([edited(path, before, after)])).toEqual([])
  })

  it('finds nothing in a file that moved', () => {
    expect(rulesOf([edited(path, before, null), edited('tests/unit/test_calc.py', null, before)])).toEqual([])
  })

  it('finds nothing in a file that was split', () => {
    const at = before.indexOf('def test_divide')
    const head = before.slice(0, before.indexOf('def test_add'))
    const changes = [
      edited(path, before, before.slice(0, at)),
      edited('tests/test_divide.py', null, head + before.slice(at)),
    ]
    expect(rulesOf(changes)).toEqual([])
  })

  it('finds nothing where a skip was taken away', () => {
    const skipped = swap('def test_add', '@pytest.mark.skip\ndef test_add')
    expect(rulesOf([edited(path, skipped, before)])).toEqual([])
  })

  it('finds nothing where an assertion became stronger', () => {
    const weak = swap('assert add(1, 2) == 3', 'assert add(1, 2)')
    expect(rulesOf([edited(path, weak, before)])).toEqual([])
  })

  it('finds nothing in markers and fixtures of a conftest.py', () => {
    const text =
      'def pytest_configure(config):\n    config.addinivalue_line("markers", "slow: slow tests")\n\n@pytest.fixture\ndef client():\n    return make()\n'
    expect(rulesOf([edited('tests/conftest.py', null, text)])).toEqual([])
  })
})
