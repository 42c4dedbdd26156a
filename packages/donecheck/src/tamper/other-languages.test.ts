/** Other languages, and any input at all. */
import { fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { edited, rulesOf, version } from './fixtures/changes.ts'
import { before as python } from './fixtures/python.ts'
import { before } from './fixtures/typescript.ts'
import { cheatingSources, excusedPaths, explainChanges, refusedChanges } from './index.ts'

const looks = [explainChanges, refusedChanges, cheatingSources, excusedPaths] as const

describe('given files of other languages', () => {
  it.each([
    [
      'src/test/java/CalcTest.java',
      'class CalcTest {\n  @Test\n  void adds() {\n    assertEquals(3, calc.add(1, 2));\n  }\n}\n',
      [
        ['@Test', '@Disabled\n  @Test', 'test.skipped'],
        ['assertEquals(3, calc.add(1, 2))', 'assertTrue(true)', 'assertion.weakened'],
        ['assertEquals(3,', 'assertEquals(4,', 'expectation.changed'],
        ['  @Test\n', '', 'test.renamed-away'],
      ],
    ],
    [
      'src/test/kotlin/CalcTest.kt',
      'class CalcTest {\n  @Test\n  fun adds() {\n    assertEquals(3, add(1, 2))\n  }\n}\n',
      [
        ['@Test', '@Ignore\n  @Test', 'test.skipped'],
        ['    assertEquals', '    return\n    assertEquals', 'assertion.removed'],
      ],
    ],
    [
      'tests/calc.rs',
      '#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n',
      [
        ['#[test]', '#[test]\n#[ignore]', 'test.skipped'],
        ['#[test]\n', '', 'test.renamed-away'],
        ['assert_eq!(add(1, 2), 3)', 'assert!(true)', 'assertion.weakened'],
        ['#[test]', '#[test]\n#[should_panic]', 'test.skipped'],
      ],
    ],
    [
      'tests/CalcTests.cs',
      'class CalcTests {\n  [Fact]\n  public void Adds() {\n    Assert.Equal(3, Add(1, 2));\n  }\n}\n',
      [
        ['[Fact]', '[Fact(Skip = "later")]', 'test.skipped'],
        ['Assert.Equal(3, Add(1, 2))', 'Assert.True(true)', 'assertion.weakened'],
        ['[Fact]', '[Ignore]\n  [Fact]', 'test.skipped'],
      ],
    ],
    [
      'tests/CalcTest.php',
      '<?php\nclass CalcTest extends TestCase {\n  public function testAdds(): void {\n    $this->assertSame(3, add(1, 2));\n  }\n}\n',
      [
        ['    $this->assertSame', '    $this->markTestSkipped();\n    $this->assertSame', 'test.skipped'],
        ['$this->assertSame(3, add(1, 2))', '$this->assertTrue(true)', 'assertion.weakened'],
      ],
    ],
  ] as const)('finds tampering in %s, and nothing in comments and moves', (file, text, rows) => {
    for (const [from, to, rule] of rows) {
      expect(text, from).toContain(from)
      expect(rulesOf([edited(file, text, text.replace(from, to))]), to).toContain(rule)
    }
    const comment = '// here\n'
    expect(rulesOf([edited(file, text, text.replaceAll('\n', '\r\n'))])).toEqual([])
    expect(
      rulesOf([
        edited(
          file,
          text,
          `${text.slice(0, text.indexOf('\n') + 1)}${comment}${text.slice(text.indexOf('\n') + 1)}`,
        ),
      ]),
    ).toEqual([])
  })
})

describe('given any input at all', () => {
  const names = fc.constantFrom(
    'test/a.test.ts',
    'tests/test_a.py',
    'a_test.go',
    'ATest.java',
    'tests/a.rs',
    'ATests.cs',
    'ATest.php',
    'package.json',
    'pyproject.toml',
    'tox.ini',
    'vitest.config.ts',
    '.mocharc.yml',
    'Makefile',
    'check.sh',
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
    '.gitignore',
    'test/__snapshots__/a.snap',
    'go.mod',
    'tsconfig.json',
    '.npmrc',
    'pom.xml',
  )
  const pieces = fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '(',
        ')',
        '[',
        ']',
        '"',
        "'",
        '`',
        '"""',
        '/*',
        '*/',
        '//',
        '#',
        '\n',
        ' ',
        ':',
        ';',
        'if',
        'def',
        'test',
        'it(',
        'func Test',
        '@Test',
        'assert',
        '=',
        ',',
        '\\',
        'x',
        '1',
        '\t',
        '||',
        '&&',
        '- ',
      ),
      { maxLength: 60 },
    )
    .map((list) => list.join(''))
  const text = fc.oneof(fc.string(), pieces)

  it('never throws, and finds nothing in what did not change', () => {
    fc.assert(
      fc.property(names, text, text, (name, then, now) => {
        const changes = [edited(name, then, now), edited(name, null, now), edited(name, then, null)]
        for (const look of looks) look(changes)
        expect(rulesOf([{ path: name, before: version(then), after: version(then) }])).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('finds nothing in white space and comments', () => {
    const files = [
      ['test/a.test.ts', before, ' // here'],
      ['tests/test_a.py', python, '  # here'],
    ] as const
    const noise = fc.array(fc.constantFrom('', ' ', '\t', 'comment', 'blank'), {
      minLength: 30,
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        noise,
        fc.boolean(),
        ([name, text, comment], list, isWindows) => {
          const rows = text.split('\n').map((row, index) => {
            const kind = list[index % list.length] ?? ''
            return kind === 'comment' ? row + comment : kind === 'blank' ? `${row}\n` : row + kind
          })
          expect(rulesOf([edited(name, text, rows.join(isWindows ? '\r\n' : '\n'))])).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })
})
