import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodeOf } from './exit-code.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-shell-'))
  for (const name of checks) {
    const text = `#!/bin/sh\ncase " $FAILING " in *" ${name} "*) touch "$FAILED"; exit 1;; esac\n`
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const checks = ['check0', 'check1', 'check2', 'check3', 'check4', 'check5', 'check6', 'check7']

/** How the real shell ends while these fail. A line that does not end is none. */
function run(line: string, failing: readonly string[]) {
  const failed = join(folder, 'failed')
  rmSync(failed, { force: true })
  const env = { ...process.env, FAILING: failing.join(' '), FAILED: failed }
  const { status } = spawnSync('sh', ['-c', line], { cwd: folder, env, timeout: 2_000 })
  return { status, hasFailed: existsSync(failed) }
}

/** Every check of the line is another one. */
function named(line: string): string {
  let count = 0
  return line.replaceAll('CHECK', () => `./${checks[count++ % checks.length] ?? ''}`)
}

const { line: anyLine } = fc.letrec<{ line: string; part: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('part'),
    fc.tuple(tie('part'), tie('line')).map((two) => two.join('; ')),
  ),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant('CHECK'),
    fc.constantFrom(
      'CHECK',
      'CHECK',
      'true',
      'echo x',
      'set -e',
      'set +e',
      'exit 0',
      'exit 1',
      'exit $?',
      'exit',
      'code=$?',
      'exit $code',
      '[ $? -eq 0 ] || exit 1',
    ),
    fc
      .tuple(tie('part'), fc.constantFrom('&&', '||'), tie('part'))
      .map(([left, operator, right]) => `{ ${left}; } ${operator} ${right}`),
    fc
      .tuple(tie('part'), fc.constantFrom('true', 'exit 1', 'exit $?', '{ echo x; exit 1; }', 'code=$?'))
      .map(([left, right]) => `{ ${left}; } || ${right}`),
    tie('line').map((line) => `( ${line} )`),
    tie('line').map((line) => `{ ${line}; }`),
    tie('line').map((line) => `! { ${line}; }`),
    tie('line').map((line) => `{ ${line}; } | cat`),
    tie('line').map((line) => `f() { ${line}; }; f`),
    tie('line').map((line) => `for i in 1 2; do ${line}; done`),
    tie('line').map((line) => `x=$( ${line})`),
    tie('line').map((line) => `sh -c "${line.replace(/[$"\\`]/g, '\\$&')}"`),
    fc.tuple(tie('line'), tie('line')).map(([condition, body]) => `if ${condition}; then ${body}; fi`),
    fc
      .tuple(tie('line'), tie('line'), tie('line'))
      .map(([condition, yes, no]) => `if ${condition}; then ${yes}; else ${no}; fi`),
    tie('line').map((line) => `while ${line}; do break; done`),
    tie('line').map((line) => `case x in y) ${line};; *) CHECK;; esac`),
  ),
}))

const lines = anyLine.map(named).filter((line) => !line.includes('./check7'))
/** Where the stubs are no scripts that can be read. */
const nowhere = '/nonexistent'
const settings = { numRuns: Number(process.env['SHELL_LINES'] ?? 60), maxSkipsPerRun: 1_000 }

describe('given any line of a small shell language', () => {
  it('is certain of none that the real shell ends with a failure, whatever fails', () => {
    fc.assert(
      fc.property(lines, fc.subarray(checks), (line, failing) => {
        fc.pre(exitCodeOf(line, nowhere).kind === 'certain')
        expect(run(line, failing).status ?? 0).toBe(0)
      }),
      settings,
    )
  })

  it('finds none sound of which the real shell hides the failure of every check', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const used = checks.filter((name) => line.includes(`./${name}`))
        fc.pre(used.length > 0 && exitCodeOf(line, nowhere).kind === 'sound')
        const hidden = used.filter((name) => {
          const { status, hasFailed } = run(line, [name])
          return status === 0 && hasFailed
        })
        expect(hidden.length).toBeLessThan(used.length)
      }),
      settings,
    )
  })
})
