import { describe, expect, it } from 'vitest'
import { looks } from './calls.ts'

const isLook = (command: string) => looks('bash', undefined, { command })

describe('given a command line', () => {
  it.each(["sed -n '1,50p' a.ts", 'cat a.ts', 'cd src && grep -rn "word" .', 'git status', 'view', 'ls'])(
    '%s only looks',
    (command) => {
      expect(isLook(command)).toBe(true)
    },
  )

  it.each([
    "sed -n '1,5w out' a.ts",
    "sed -i 's/a/b/' a.ts",
    'cat a.ts > b.ts',
    'cat a.ts | tee b.ts',
    'ls; rm a.ts',
    'ls $(rm a.ts)',
    'ls `rm a.ts`',
    'ls\nrm a.ts',
    'cat <(rm a.ts)',
    'git diff && git commit',
    'git branch -D main',
    'catalog --write',
    `cat ${'a'.repeat(600)}`,
  ])('%s does more, as far as anybody knows', (command) => {
    expect(isLook(command)).toBe(false)
  })
})

describe('given a tool', () => {
  it('is told by its effect or its name', () => {
    expect(looks('any', 'read', {})).toBe(true)
    expect(looks('read_file', undefined, {})).toBe(true)
    expect(looks('bash', undefined, {})).toBe(false)
  })
})
