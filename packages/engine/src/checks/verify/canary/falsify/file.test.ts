import { describe, expect, it } from 'vitest'
import { falsifyFile } from './file.ts'

const seven = () => 7
const falsified = (path: string, text: string) => falsifyFile(path, text, seven)
const titles = (path: string, ...lines: readonly string[]) =>
  falsified(path, lines.join('\n'))?.certain.map(({ title }) => title)

describe('a test file whose comparisons are false', () => {
  it('keeps its lines, and says if nothing in it compares', () => {
    const text = 'it("a", () => {\n  expect(f(1)).toBe(1)\n  expect(f(2)).toBe(2)\n})\n'
    expect(falsified('a.test.js', text)).toEqual({
      text: 'it("a", () => {\n  expect(f(1)).toBe(8)\n  expect(f(2)).toBe(9)\n})\n',
      certain: [{ title: 'a' }],
    })
    expect(falsified('a.test.ts', 'it("a", () => f())\n')).toBeUndefined()
    expect(falsified('a.json', '{}')).toBeUndefined()
  })

  it.each([
    ['a.test.js', 'expect(f(1)).toBe(wanted)', /^expect\(f\(1\)\)\.toBe\(\(\(w\) => .*\)\(wanted\)\)$/],
    ['a.test.ts', 'expect(f(1)).toEqual([1, 2])', /\(\(w: any\) => .*\)\(\[1, 2\]\)\)$/],
    ['a.test.js', 'assert.ok(f(1), "fine")', /^assert\.ok\(!\(f\(1\)\), "fine"\)$/],
    [
      'a.test.js',
      'test("x", () => { assert.equal(f(), 6) })',
      /^test\("x", \(\) => \{ assert\.equal\(f\(\), 3\) \}\)$/,
    ],
    [
      'a.test.js',
      'test("x", () => expect(f()).toBe(true))',
      /^test\("x", \(\) => expect\(f\(\)\)\.toBe\(false\)\)$/,
    ],
    ['test_a.py', 'assert f(1) == wanted  # fine', /^assert f\(1\) ==\s?\(lambda w: .*\)\(wanted\)$/],
    ['test_a.py', 'assert f(1) > 3, "more"', /^assert not \(f\(1\) > 3\), "more"$/],
    [
      'test_a.py',
      'assert abs(f(1) - ROWS[1]) < 0.01',
      /^assert abs\(f\(1\) - \(\(ROWS\[1\]\) \* 3 \+ 7\)\) < 0\.01$/,
    ],
    [
      'test_a.py',
      'assert f(1) == pytest.approx(0.3, rel=0.1)',
      /^assert f\(1\) == pytest\.approx\(7\.3, rel=0\.1\)$/,
    ],
    ['test_a.py', 'self.assertTrue(f(1))', /^self\.assertFalse\(f\(1\)\)$/],
    ['a_spec.rb', 'expect(f(1)).to eq(6)', /^expect\(f\(1\)\)\.to eq\(3\)$/],
    ['a_spec.rb', 'expect(f(1)).to eq wanted', /to eq\(->\(w\) .*\.call\(wanted\)\)$/],
    ['test_a.rb', 'assert_equal 90, f(100), "ten"', /^assert_equal 97, f\(100\), "ten"$/],
    ['test_a.rb', 'assert_equal(wanted, f(100))', /^assert_equal\(->\(w\) .*\.call\(wanted\), f\(100\)\)$/],
    ['ATest.php', '$this->assertSame(3, f(1));', /^\$this->assertSame\(0, f\(1\)\);$/],
    ['ATest.php', 'self::assertTrue(f(1));', /^self::assertFalse\(f\(1\)\);$/],
    ['a.rs', 'assert_eq!(f(1), wanted, "no");', /^assert_ne!\(f\(1\), wanted, "no"\);$/],
    ['a.rs', 'assert!(f(1) > 2);', /^assert!\(!\(f\(1\) > 2\)\);$/],
    [
      'a_test.go',
      'if !reflect.DeepEqual(a, b) {\nt.Fatal()',
      /^if reflect\.DeepEqual\(a, b\) \{\nt\.Fatal\(\)$/,
    ],
    ['a_test.go', 'require.NoError(t, err)', /^require\.Error\(t, err\)$/],
  ])('in %s has another value for %s', (path, line, expected) => {
    expect(falsified(path, line)?.text).toMatch(expected)
  })
})

describe('tests that must be red with false comparisons', () => {
  it.each([
    ['test("a", async (t) => {', '  assert.equal(f(), 1)', '})'],
    ["it('a', function () {", '  assert.equal(f(), 1)', '})'],
    ["it.only('a', { timeout: 5 }, () => {", '  const one = f()', '  expect(one).toBe(1)', '})'],
    ["describe('x', () => {", "  it('a', () => {", '    expect(f()).toBe(1)', '  })', '})'],
  ])('are those that hold one themselves: %s', (...lines) => {
    expect(titles('a.test.js', ...lines)).toEqual(['a'])
  })

  it('are those of a table, which names them', () => {
    const lines = [
      'it.each([',
      '  [1, 2],',
      "])('%i', (given, wanted) => {",
      '  expect(f(given)).toBe(wanted)',
      '})',
    ]
    expect(titles('a.test.js', ...lines)).toEqual([undefined])
  })

  it.each([
    [
      'it runs in a function that may not be called',
      "it('a', () => {",
      '  on(() => {',
      '    expect(f()).toBe(1)',
      '  })',
      '})',
    ],
    ['the test may end before', "it('a', () => {", '  if (old) return', '  expect(f()).toBe(1)', '})'],
    ['the test must fail', "it.fails('a', () => {", '  expect(f()).toBe(1)', '})'],
    ['it stands in a text', "it('a', () => {", '  run(`', '  expect(f()).toBe(1)', '  `)', '})'],
    ['nobody waits for it', "it('a', () => {", '  expect(f()).resolves.toBe(1)', '})'],
    [
      'two tests have one name',
      ...["it('a', () => {", '  expect(f()).toBe(1)', '})', "it('a', () => {", '})'],
    ],
  ])('are none where %s', (_, ...lines) => {
    expect(titles('a.test.js', ...lines) ?? []).toEqual([])
  })

  it.each([
    [
      'a_test.go',
      'TestA',
      'func TestA(t *testing.T) {',
      '\tif got := f(); got != 3 {',
      '\t\tt.Fatal("no")',
      '\t}',
      '}',
    ],
    ['tests/a.rs', 'a', '#[test]', 'fn a() {', '    assert_eq!(f(), 3.0);', '}'],
    ['a_spec.rb', 'a', "  it('a') { expect(f()).to eq(6) }"],
    ['a_spec.rb', 'a', "  it 'a' do", '    expect(f()).to eq [1]', '  end'],
    ['test_a.rb', 'test_a', '  def test_a', '    assert_equal 90, f(100)', '  end'],
    [
      'ATest.php',
      'testA',
      '    public function testA(): void',
      '    {',
      '        $this->assertSame(3, f());',
      '    }',
    ],
    ['ATest.php', 'testA', '  public function testA(): void { $this->assertSame(3, f()); }'],
    ['tests/a.rs', 'a', 'fn a() { assert_eq!(f(), 3); }'],
  ])('are those of %s', (path, title, ...lines) => {
    expect(titles(path, ...lines)).toEqual([title])
  })

  it('are those of Python, in classes too', () => {
    const lines = [
      'class A:',
      '    def test_a(self):',
      '        assert f() == 1',
      '',
      '    def test_b(self):',
      '        with raises(E):',
      '            assert f() == 1',
    ]
    expect(titles('test_a.py', ...lines)).toEqual(['test_a'])
  })
})
