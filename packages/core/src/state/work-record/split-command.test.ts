import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitCommand } from './split-command.ts'

const shown = (line: string) => splitCommand(line).map(({ words, then }) => [...words, then])

describe('given a command line', () => {
  it.each([
    [
      'a b && c',
      [
        ['a', 'b', '&&'],
        ['c', ';'],
      ],
    ],
    [
      'a | b || c; d &',
      [
        ['a', '|'],
        ['b', '||'],
        ['c', ';'],
        ['d', '&'],
      ],
    ],
    [`sed -i 's/a b|c/d; e/' f.py`, [['sed', '-i', 's/a b|c/d; e/', 'f.py', ';']]],
    ['echo "a \\" b" # not; this', [['echo', 'a \\" b', ';']]],
    ['a $(b; c | d) e', [['a', '$(b; c | d)', 'e', ';']]],
    [
      '(cd x && a)',
      [
        ['cd', 'x', '&&'],
        ['a', ';'],
      ],
    ],
    ['a \\\n  b', [['a', 'b', ';']]],
    [
      'a 2>&1 | b',
      [
        ['a', '|'],
        ['b', ';'],
      ],
    ],
  ])('%s has its simple commands', (line, commands) => {
    expect(shown(line)).toEqual(commands)
  })

  it('tells where the output goes, and leaves what is read from', () => {
    const [command] = splitCommand('a < in.txt > out.txt 2>> err.txt b')
    expect(command).toMatchObject({
      words: ['a', 'b'],
      into: [
        { path: 'out.txt', appends: false },
        { path: 'err.txt', appends: true },
      ],
    })
  })

  it('gives a here-document to the command that announces it, and goes on behind it', () => {
    const [cat, python] = splitCommand(`cat <<'EOF' > a.py && python a.py\nx = "it's; || "\nEOF\n`)
    expect(cat).toMatchObject({
      words: ['cat'],
      into: [{ path: 'a.py', appends: false }],
      input: `x = "it's; || "\n`,
      then: '&&',
    })
    expect(python).toMatchObject({ words: ['python', 'a.py'], input: undefined })
  })

  it('reads a here-document without an end up to the end', () => {
    expect(splitCommand('cat > a <<X\n1\n2')[0]).toMatchObject({ input: '1\n2' })
  })
})

describe('given any text', () => {
  it('comes to an end, and every command has words or a place for its output', () => {
    const line = fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          ' ',
          ';',
          '|',
          '&',
          '<',
          '>',
          '(',
          ')',
          "'",
          '"',
          '\\',
          '$',
          '#',
          '\n',
          '{',
          '}',
          '<<E',
          '$(',
          '2>',
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(line, (text) => {
        for (const { words, into } of splitCommand(text))
          expect(words.length + into.length).toBeGreaterThan(0)
      }),
    )
  })
})
