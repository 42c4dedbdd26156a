import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { wordsOfLine } from './agents.ts'

describe('given a simple command line', () => {
  it.each([
    ['claude', ['claude']],
    ['  claude   --model opus ', ['claude', '--model', 'opus']],
    [
      `claude --allowedTools "Bash(npm test)" 'two words'`,
      ['claude', '--allowedTools', 'Bash(npm test)', 'two words'],
    ],
    [`codex -c model="o3"`, ['codex', '-c', 'model=o3']],
    [String.raw`claude "a \"b\" \\ c" d\ e`, ['claude', String.raw`a "b" \ c`, 'd e']],
    [`claude '' ""`, ['claude', '', '']],
    [`it"'"s`, [`it's`]],
  ])('reads %j', (line, words) => {
    expect(wordsOfLine(line)).toEqual(words)
  })
})

describe('given what only a shell can read', () => {
  it.each([
    'claude | tee log',
    'cd x && claude',
    'claude; ls',
    'claude > log',
    'claude $HOME',
    'claude "$HOME"',
    'claude `pwd`',
    'claude $(pwd)',
    'claude {prompt}',
    'claude *.md',
    'claude ~/x',
    'claude # comment',
    "claude 'unclosed",
    'claude "unclosed',
    'KEY=value claude',
    'claude \\',
    '',
    '   ',
  ])('leaves %j to it', (line) => {
    expect(wordsOfLine(line)).toBeUndefined()
  })
})

describe('given any line that is read', () => {
  it('reads it as a shell does', () => {
    const piece = fc.constantFrom(
      'a',
      'B7',
      '-x',
      '=',
      ' ',
      '  ',
      "'",
      '"',
      '\\',
      ',',
      '.',
      ':',
      "'q r'",
      '"s t"',
      'ü',
    )
    const lines = fc.sample(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      300,
    )
    const read = lines.flatMap((line) => {
      const words = wordsOfLine(line)
      return words === undefined ? [] : [{ line, words }]
    })
    expect(read.length).toBeGreaterThan(30)
    const script = read.map(
      ({ line }) => `set -- ${line}\nfor word; do printf '%s\\0' "$word"; done; printf '\\1'`,
    )
    const shown = execFileSync('sh', ['-c', script.join('\n')])
      .toString()
      .split('\u0001')
      .slice(0, -1)
    expect(shown.map((words) => words.split('\0').slice(0, -1))).toEqual(read.map(({ words }) => words))
  })
})
