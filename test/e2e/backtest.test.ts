/** The public command finds in the shared recordings what `docs/measured/detectors.md` says of our detectors. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseRun } from '@donecheck/engine/internal/insight/recordings'
import { halfOf } from '../../bench/halves.ts'
import { inPlace, type Place } from './donecheck.ts'

const recordings =
  process.env['DONECHECK_TRAJECTORIES'] ??
  fileURLToPath(new URL('../../../shared/trajectories', import.meta.url))
const page = readFileSync(new URL('../../docs/measured/detectors.md', import.meta.url), 'utf8')

/** Rows of our detectors alone: no caps, no stagnation. */
const alone = { maxTurns: 'off', maxTokens: 'off', maxSeconds: 'off', stagnation: 'off' }
const rows = {
  donecheck: { ...alone, loopDetection: { vetoesUntilEnd: 0 } },
  'donecheck (by default: told, refused, ended)': alone,
}

interface PolicyRow {
  readonly name: string
  readonly lost: readonly unknown[]
  readonly resolved: number
  readonly ended: number
  readonly unresolved: number
  readonly calls: { readonly share?: number }
  readonly tokens: { readonly share?: number }
  readonly warningsPerThousandCalls?: number
  readonly refusalsPerThousandCalls?: number
}

/** The figures of the page in the words of the page, as far as the command tells them. */
function cellsOf(policy: PolicyRow): Readonly<Record<string, string>> {
  const percent = (share: number | undefined) => (share === undefined ? '-' : `${(100 * share).toFixed(2)} %`)
  return {
    'resolved ended': `${policy.lost.length} of ${policy.resolved}`,
    'unresolved ended': `${policy.ended} of ${policy.unresolved}`,
    'calls saved': percent(policy.calls.share),
    'tokens saved': percent(policy.tokens.share),
    'warnings/1000 calls': policy.warningsPerThousandCalls?.toFixed(2) ?? '-',
    'refusals/1000 calls': policy.refusalsPerThousandCalls?.toFixed(2) ?? '-',
  }
}

/** The row of the page's table that tells of these runs and this detector; empty where there is none. */
function rowOfPage(runs: string, detector: string): Readonly<Record<string, string>> {
  const [head = [], ...table] = page
    .slice(page.indexOf('\n## Recorded runs\n') + 1)
    .replace(/\n## .*/s, '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const row = table.find(([told, name]) => told === runs && name === detector) ?? []
  return Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']))
}

/** The runs of the half that the page reports on, in files of the same names. */
async function writeReportHalf(place: Place): Promise<void> {
  for (const file of readdirSync(recordings).filter((name) => name.endsWith('.jsonl.gz'))) {
    const lines = gunzipSync(readFileSync(join(recordings, file)))
      .toString('utf8')
      .split('\n')
    const reported = lines.filter((line) => {
      const run = parseRun(line, file)
      return run !== undefined && halfOf(run.id) === 'report'
    })
    await place.write(join('runs', file), gzipSync(reported.join('\n')))
  }
}

describe.skipIf(!existsSync(recordings))('given the shared recordings, which may be elsewhere', () => {
  it('then the command tells what the page tells of all of them', async () => {
    await inPlace({}, async (place) => {
      await writeReportHalf(place)
      const policies = Object.entries(rows).flatMap(([name, settings]) => [
        '--variant',
        `${name}=${JSON.stringify(settings)}`,
      ])
      const words = ['stats', 'backtest', 'runs', '--json', ...policies, '--without-label', 'oracle-stop']
      const { stdout, stderr, exitCode } = await place.run(words)
      expect(exitCode, stderr).toBe(0)
      const reported = JSON.parse(stdout) as { policies: readonly PolicyRow[] }
      const section = 'all sets without the oracle-stopped (half: report)'
      const compared = reported.policies.filter(({ name }) => name !== 'current')
      expect(compared.length).toBe(Object.keys(rows).length)
      for (const policy of compared)
        expect(rowOfPage(section, policy.name), section).toMatchObject(cellsOf(policy))
    })
  })
})
