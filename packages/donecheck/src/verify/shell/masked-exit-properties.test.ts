import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskedExit } from './masked-exit.ts'

const words = fc.stringMatching(/^[a-z]{3,8}$/)
const argument = fc.oneof(
  words,
  words.map((word) => `--${word}`),
  words.map((word) => `'${word} || true'`),
  words.map((word) => `"a; ${word}"`),
)
const check = fc
  .tuple(words, fc.array(argument, { maxLength: 3 }))
  .map(([name, args]) => [`./check-${name}`, ...args].join(' '))
const chain = fc.array(check, { minLength: 1, maxLength: 5 }).map((checks) => checks.join(' && '))

const masks: readonly ((line: string) => string)[] = [
  (line) => `${line} || true`,
  (line) => `${line} || :`,
  (line) => `${line} || exit 0`,
  (line) => `${line} || echo "it failed"`,
  (line) => `${line} ; echo ok`,
  (line) => `${line} ; exit 0`,
  (line) => `{ ${line}; } | tail -n 5`,
  (line) => `{ ${line}; } &`,
  (line) => `! { ${line}; }`,
  (line) => `if ${line}; then :; fi`,
  (line) => `while ${line}; do break; done`,
  (line) => `( ${line} ) || true`,
  (line) => `{ ${line} ; } ; true`,
  (line) => `trap 'exit 0' EXIT; ${line}`,
  (line) => `echo "$(${line})"`,
]

const wrappings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `cd sub && { ${line}\n}`,
  (line) => `X=1; ( ${line}\n)`,
  (line) => `bash -c "$(cat <<'END'\n${line}\nEND\n)"`,
]

describe('given any check', () => {
  it('lets plain chains with && pass', () => {
    fc.assert(
      fc.property(chain, (line) => {
        expect(maskedExit(line)).toBeUndefined()
      }),
    )
  })

  it('recognises every mask around every chain, wrapped or not', () => {
    fc.assert(
      fc.property(chain, fc.constantFrom(...masks), fc.constantFrom(...wrappings), (line, mask, wrap) => {
        expect(maskedExit(wrap(mask(line)))).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })

  it('recognises a mask whatever stands before or after it in a chain', () => {
    fc.assert(
      fc.property(chain, chain, chain, fc.constantFrom(...masks), (before, line, after, mask) => {
        expect(maskedExit(`${before} && { ${mask(line)}\n} && ${after}`)).toBeDefined()
      }),
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(
              fc.constantFrom(
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
                '\n',
                ' ',
              ),
            )
            .map((parts) => parts.join(' ')),
        ),
        (text) => {
          const masked = maskedExit(text)
          expect(masked === undefined || masked.reason.length > 0).toBe(true)
        },
      ),
    )
  })
})
