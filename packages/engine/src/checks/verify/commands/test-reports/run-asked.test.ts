import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAsked } from './run-asked.ts'
import { takeReport } from './take-report.ts'
import { eachInFolder } from '../../texts/fixtures/temporary-folder.ts'

let folder = ''

eachInFolder((made) => {
  folder = made
})

/** Runs a shell script that goes by the name of a runner. */
async function runAs(runner: string, script: string) {
  await writeFile(join(folder, runner), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const ran = await runAsked({
    line: `./${runner} run`,
    folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    asks: true,
  })
  try {
    return { ran, taken: await takeReport(ran.asked, ran.remains) }
  } finally {
    await ran.asked.dispose()
  }
}

const summary = String.raw`printf ' Test Files  1 passed (1)\n      Tests  2 passed (2)\n'`
const report = (passes: number) =>
  JSON.stringify({
    numTotalTests: passes,
    success: true,
    testResults: [
      {
        name: 'a.test.js',
        status: 'passed',
        assertionResults: Array.from({ length: passes }, (_, n) => ({
          ancestorTitles: [],
          title: `t${n}`,
          status: 'passed',
        })),
      },
    ],
  })
const toPath = 'path=$(printf "%s" "$*" | sed -n "s/.*outputFile.json=//p")'

describe('given a runner that is asked for its report', () => {
  it('takes the report', async () => {
    const { taken } = await runAs('vitest', `${toPath}\nprintf '%s' '${report(2)}' > "$path"\n${summary}`)
    expect(taken.reading).toMatchObject({
      kind: 'read',
      report: { format: 'vitest-json', counts: { passed: 2 } },
    })
  })

  it('takes the words about our report out of what is shown', async () => {
    const { ran } = await runAs(
      'vitest',
      `${toPath}\necho "> vitest $*"\necho "JSON report written to $path"\necho done`,
    )
    expect(ran.result.output.head).toBe('> vitest run\ndone\n')
  })

  it('does not believe the summary with exit 0 where the report did not come', async () => {
    const { taken } = await runAs('vitest', summary)
    expect(taken).toMatchObject({ reading: { kind: 'unreadable', problem: 'the report was not written' } })
  })

  it('reads the summary of a run that failed without a report', async () => {
    const { taken } = await runAs(
      'vitest',
      `printf ' Test Files  1 failed (1)\\n      Tests  1 failed (1)\\n'; exit 1`,
    )
    expect(taken.reading).toMatchObject({ kind: 'read', report: { format: 'text', counts: { failed: 1 } } })
  })

  it.each([
    ['half a report', report(2).slice(0, 40)],
    ['a report of another kind', '{"passed":12}'],
    ['nothing', ''],
  ])('does not believe %s', async (_, text) => {
    const { taken } = await runAs('vitest', `${toPath}\nprintf '%s' '${text}' > "$path"\n${summary}`)
    expect(taken.reading).toMatchObject({ kind: 'unreadable' })
  })

  it('does not follow a link in the place of the report', async () => {
    await writeFile(join(folder, 'mine.json'), report(12))
    const { taken } = await runAs('vitest', `${toPath}\nln -s "$PWD/mine.json" "$path"\n${summary}`)
    expect(taken.reading).toMatchObject({ kind: 'unreadable' })
  })

  it('does not wait for a pipe in the place of the report', async () => {
    const { taken } = await runAs('vitest', `${toPath}\nmkfifo "$path"\n${summary}`)
    expect(taken.reading).toMatchObject({ kind: 'unreadable' })
  })

  it('is run again unasked where it does not know what it is asked for', async () => {
    const script = `if [ $# -gt 1 ]; then echo 'Unknown option --reporter' >&2; exit 1; fi\n${summary}`
    const { ran, taken } = await runAs('vitest', script)
    expect(ran.remains.exitCode).toBe(0)
    expect(taken.reading).toMatchObject({ kind: 'read', report: { format: 'text', counts: { passed: 2 } } })
  })
})
