import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../events/index.ts'
import {
  pauses,
  waits,
  looks,
  listPattern,
  editedPaths,
  readOutcome,
  asksNothing,
  readCall,
} from './calls.ts'
import fc from 'fast-check'
import { canonicalJson } from '../../base/index.ts'
import { textHash } from './texts.ts'

describe('given a call', () => {
  it.each([
    ['sleep', {}],
    ['Wait', {}],
    ['BashOutput', { bash_id: '1' }],
    ['check_status', {}],
    ['process', { action: 'poll', id: 1 }],
    ['run_shell', { command: 'sleep 30' }],
    ['run_shell', { command: 'cd x && sleep 5; cat log' }],
    ['bash', { cmd: 'timeout 60 tail -f server.log' }],
  ] as readonly (readonly [string, JsonValue])[])('%s %j waits', (tool, args) => {
    expect(waits(tool, args, undefined)).toBe(true)
  })

  it.each([
    ['read_file', { path: 'sleep 30' }],
    ['run_shell', { command: 'npm test' }],
    ['run_shell', { command: 'cat sleep.txt waiting.txt' }],
    ['process', { action: 'write' }],
    ['waiter_list', {}],
    ['run_shell', 'sleep 30'],
    ['run_shell', null],
    ['run_shell', ['sleep 30']],
    ['run_shell', { command: 3 }],
  ] as readonly (readonly [string, JsonValue])[])('%s %j does not', (tool, args) => {
    expect(waits(tool, args, undefined)).toBe(false)
  })

  it('the user knows better', () => {
    expect(waits('sleep', {}, { poll: false })).toBe(false)
    expect(waits('deploy', {}, { poll: true })).toBe(true)
    expect(waits('sleep', {}, { readOnly: true })).toBe(true)
  })
})

describe('given a call that may let time pass', () => {
  it.each([
    ['sleep', {}, true],
    ['run_shell', { command: 'sleep 30' }, true],
    ['run_shell', { command: 'sleep $SECONDS_LEFT && cat log' }, true],
    ['python', { code: 'import time; time.sleep(30)' }, true],
    ['check_status', {}, false],
    ['run_shell', { command: 'echo asleep 3' }, false],
  ] as const)('%s %j: %s, where nobody has looked at the time', (tool, args, expected) => {
    expect(pauses(tool, args, undefined)).toBe(expected)
  })

  it.each([
    [4999, false],
    [5000, true],
  ])('what took %i ms: %s, whatever it was', (durationMs, expected) => {
    expect(pauses('check_status', {}, durationMs)).toBe(expected)
    expect(pauses('sleep', {}, durationMs)).toBe(expected)
  })
})

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

const patternOf = (command: string, result = '1 problem') => listPattern('bash', { command }, result)

describe('given two calls that differ in the paths alone', () => {
  it.each([
    ['lint src/a.ts', 'lint lib/b.ts'],
    ['lint a.ts', 'lint b.ts'],
    ['make -C one/a check', 'make -C other/b check'],
    ['lint "src/a.ts" --config=x.json', 'lint "src/b.ts" --config=x.json'],
  ])('%s and %s are of one pattern', (one, other) => {
    expect(patternOf(one)).toBeDefined()
    expect(patternOf(one)).toBe(patternOf(other))
  })
})

describe('given calls that are no two pieces of a list', () => {
  it.each([
    ['lint src/a.ts', 'test src/a.ts'],
    ['run a.ts --limit 1', 'run a.ts --limit 2'],
  ])('%s and %s are of two patterns', (one, other) => {
    expect(patternOf(one)).not.toBe(patternOf(other))
  })

  it.each(['npm test', 'connect --as alpha', 'wait 1.5', `lint ${'a.ts '.repeat(400)}`])(
    '%s has none',
    (command) => {
      expect(patternOf(command)).toBeUndefined()
    },
  )

  it.each(['cat: a.ts: No such file or directory', 'Error: file not found', 'ENOENT', 'a.ts does not exist'])(
    'has none where the result is "%s"',
    (result) => {
      expect(patternOf('cat a.ts', result)).toBeUndefined()
    },
  )
})

describe('given a call of a tool that changes files, by its name or its effect', () => {
  it('names the file that its arguments name', () => {
    expect(editedPaths('Write', { file_path: 'a.py', content: '1' }, 'execute')).toEqual(['a.py'])
    expect(editedPaths('str_replace_editor', { command: 'create', path: 'a' }, undefined)).toEqual(['a'])
    expect(editedPaths('change', { path: 'a' }, 'write')).toEqual(['a'])
  })

  it('names none where the arguments do not say it plainly', () => {
    expect(editedPaths('apply_patch', { patch: '*** Begin Patch' }, undefined)).toEqual([])
  })
})

describe('given any other call', () => {
  it('is not known to edit', () => {
    expect(editedPaths('str_replace_editor', { command: 'view', path: 'a' }, undefined)).toBeUndefined()
    expect(editedPaths('create_order', { id: 1, file: 'a' }, undefined)).toBeUndefined()
    expect(editedPaths('bash', { command: 'touch a' }, 'execute')).toBeUndefined()
    expect(editedPaths('write_file', { path: 'a' }, 'read')).toBeUndefined()
  })
})

describe('given what a tool gave back', () => {
  it('a success and a failure never say the same', () => {
    expect(readOutcome('all is well', false).outcome).not.toBe(readOutcome('all is well', true).outcome)
  })

  it('line numbers of a failure are left out, those of a success are not', () => {
    const outcomes = (failed: boolean) => [
      readOutcome('line 3 is empty', failed).outcome,
      readOutcome('line 4 is empty', failed).outcome,
    ]
    expect(new Set(outcomes(true)).size).toBe(1)
    expect(new Set(outcomes(false)).size).toBe(2)
  })

  it.each([
    'File "main.py", line 3\nIndentationError: expected an indented block',
    'requests.exceptions.ConnectionError: no route',
    'No action was given. Please retry.',
  ])('%j speaks of a failure', (text) => {
    expect(readOutcome(text, null).failure).not.toBeNull()
  })

  it.each([
    'The file src/a.ts has been edited.\n+  throw new Error("not found")',
    'Edited src/errors.ts: replaced "failed" by "cannot connect".',
    'File created successfully at: src/invalid.ts',
    `Errors in Rust\n${'How to handle an error that cannot be recovered from.\n'.repeat(40)}Next page`.slice(
      7,
    ),
  ])('words of failure in an edit that was made, or within a page, are what it is about: %j', (text) => {
    expect(readOutcome(text, null).failure).toBeNull()
  })

  it.each([
    'No replacement was performed: old_str was not found',
    `Error: page not found\n${'and so on\n'.repeat(200)}`,
    `${'step done\n'.repeat(200)}ValueError: no such column`,
    `${'step done\n'.repeat(200)}The command exited with code 2`,
  ])('they say how it went where they stand first or last: %j', (text) => {
    expect(readOutcome(text, null).failure).not.toBeNull()
  })

  it('a text of more than 256 KiB is compared as it is', () => {
    const long = 'x'.repeat(256 * 1024)
    expect(readOutcome(`${long} 12:00:01`, false).outcome).not.toBe(
      readOutcome(`${long} 12:00:02`, false).outcome,
    )
    const short = 'x '.repeat(1000)
    expect(readOutcome(`${short} 12:00:01`, false).outcome).toBe(
      readOutcome(`${short} 12:00:02`, false).outcome,
    )
  })
})

describe('given keys of a result that mean nothing', () => {
  const outcome = (value: unknown, keys: readonly string[]) =>
    readOutcome(typeof value === 'string' ? value : JSON.stringify(value), false, keys).outcome

  it('results that differ in nothing else are the same, at any depth and in any order', () => {
    const one = { id: 'a', list: [{ id: 'b', name: 'x' }] }
    const other = { list: [{ name: 'x', id: 'c' }], id: 'd' }
    expect(outcome(one, ['id'])).toBe(outcome(other, ['id']))
    expect(outcome(one, [])).not.toBe(outcome(other, []))
    expect(outcome(one, ['id'])).not.toBe(outcome({ ...other, list: [] }, ['id']))
  })

  it('deep JSON does no harm', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(() => outcome(deep, ['id'])).not.toThrow()
  })
})

const sameCall = (one: string, other: string) => readCall({ command: one }) === readCall({ command: other })

describe('given empty arguments', () => {
  it.each([
    [{ command: ' ' }, true],
    [{ content: '' }, true],
    [{}, false],
    [{ command: 'ls' }, false],
    [{ path: '' }, false],
    [{ filter: '' }, false],
    [{ path: 'a.ts', content: '' }, false],
  ])('%j asks nothing: %s', (args, isNothing) => {
    expect(asksNothing(args)).toBe(isNothing)
  })
})

describe('given a command with a comment that holds nothing but the moment', () => {
  it.each([
    ['npm test # 2026-01-31T12:00:00Z', 'npm test # 2026-02-01T08:15:30Z'],
    ['npm test # 2026-01-31T12:00:00Z', 'npm test'],
    ['npm test #12:00:00', 'npm test'],
    ['npm test\t #  1767225600000  \n', '  npm   test'],
  ])('%j is %j', (one, other) => {
    expect(sameCall(one, other)).toBe(true)
  })

  it.each([
    ['npm test # 12:00:00 again', 'npm test'],
    ['npm test#12:00:00', 'npm test'],
    ['npm test -- --seed 1767225600000', 'npm test'],
    ['# 12:00:00', ''],
  ])('%j is not %j', (one, other) => {
    expect(sameCall(one, other)).toBe(false)
  })

  it('is read as the plain pattern would read it', () => {
    /** As one would say it, in time that grows with the square of the blanks. */
    const plain = (text: string) =>
      text
        .replaceAll(/\b12:00:00\b/g, '#')
        .replace(/\s+#\s*#\s*$/, '')
        .replace(/\s+/g, ' ')
        .trim()
    const pieces = fc.constantFrom(' ', '\t', '\n', '\u00a0', '#', ' #', 'a', ' 12:00:00', ' # 12:00:00')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
        const command = parts.join('')
        expect(readCall({ command })).toBe(textHash(canonicalJson({ command: plain(command) })))
      }),
    )
  })
})

describe('given a command that is mostly blanks', () => {
  it('is the command without them', () => {
    expect(sameCall(`ls${' '.repeat(3990)}a`, 'ls a')).toBe(true)
    expect(sameCall(`ls${' '.repeat(3990)}`, 'ls')).toBe(true)
    expect(sameCall(`ls${' '.repeat(3980)}# 12:00:00`, 'ls')).toBe(true)
    expect(sameCall(`${' #'.repeat(1990)} a`, `${' #'.repeat(1990)}  a`)).toBe(true)
  })
})
