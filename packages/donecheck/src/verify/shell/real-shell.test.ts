import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maskedExit } from './masked-exit.ts'

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-shell-'))
  for (const name of checks) {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\n[ "$FAILING" != ${name} ] || { touch "$FAILED"; exit 1; }\n`,
    )
    chmodSync(join(folder, name), 0o755)
  }
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const checks = ['one', 'two', 'three'] as const

/** The check was run, failed, and the real shell calls it a success. A line that does not end is none. */
function hides(line: string, failing: string): boolean {
  const failed = join(folder, 'failed')
  rmSync(failed, { force: true })
  const env = { ...process.env, FAILING: failing, FAILED: failed }
  const { status } = spawnSync('sh', ['-c', line], { cwd: folder, env, timeout: 2_000 })
  return status === 0 && existsSync(failed)
}

const { line: anyLine } = fc.letrec<{ line: string; part: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('part'),
    fc.tuple(tie('part'), tie('line')).map((two) => two.join('; ')),
  ),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('./one', './two', './three'),
    fc.constantFrom(
      './one',
      './two',
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
    tie('line').map((line) => `x=$(${line})`),
    tie('line').map((line) => `sh -c "${line.replace(/[$"\\`]/g, '\\$&')}"`),
    fc.tuple(tie('line'), tie('line')).map(([condition, body]) => `if ${condition}; then ${body}; fi`),
    fc
      .tuple(tie('line'), tie('line'), tie('line'))
      .map(([condition, yes, no]) => `if ${condition}; then ${yes}; else ${no}; fi`),
    tie('line').map((line) => `while ${line}; do break; done`),
    tie('line').map((line) => `case x in y) ${line};; *) ./three;; esac`),
  ),
}))

describe('given any line of a small shell language', () => {
  it('lets pass none with which the real shell hides the failure of a check', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        fc.pre(maskedExit(line) === undefined)
        const hidden = checks.filter((name) => line.includes(`./${name}`) && hides(line, name))
        expect(hidden).toEqual([])
      }),
      { numRuns: Number(process.env['SHELL_LINES'] ?? 60), maxSkipsPerRun: 1_000 },
    )
  })
})
