import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from './exit-code.ts'

const nowhere = '/nonexistent'
const check = fc.constantFrom('npm test', 'pytest -q', 'cargo test', './check.sh', 'node check.js')
const chain = fc
  .array(check, { minLength: 1, maxLength: 4 })
  .chain((checks) => fc.constantFrom(' && ', ' &&\n').map((operator) => checks.join(operator)))

const masks: readonly ((line: string) => string)[] = [
  (line) => `{ ${line}; } || true`,
  (line) => `( ${line} ) || :`,
  (line) => `${line}; exit 0`,
  (line) => `${line}\ntrue`,
  (line) => `if ${line}; then echo good; fi`,
  (line) => `( ${line} ) & wait`,
]

const wrappings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `sh -c '${line}'`,
]

describe('given any chain of checks', () => {
  it('finds it sound, wrapped or not', () => {
    fc.assert(
      fc.property(chain, fc.constantFrom(...wrappings), (line, wrap) => {
        expect(exitCodeOf(wrap(line), nowhere).kind).toBe('sound')
      }),
    )
  })

  it('is certain of every mask around it, wrapped or not', () => {
    fc.assert(
      fc.property(chain, fc.constantFrom(...masks), fc.constantFrom(...wrappings), (line, mask, wrap) => {
        expect(exitCodeOf(wrap(mask(line)), nowhere).kind).toBe('certain')
      }),
    )
  })

  it('never throws, whatever the text', () => {
    const token = fc.constantFrom(
      ...[
        'a',
        '|',
        '&',
        ';',
        '(',
        ')',
        '{',
        '}',
        '!',
        '$(',
        '"',
        "'",
        'if',
        'fi',
        'do',
        'done',
        '\n',
        '((',
        '$x',
      ],
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(token).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(text, (line) => {
        expect(exitCodeOf(line, nowhere).kind).toMatch(/^(certain|suspicious|sound|unreadable)$/)
      }),
    )
  })
})
