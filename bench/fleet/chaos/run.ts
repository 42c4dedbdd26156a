/**
 * `npm run bench:chaos -- --minutes 10`: fifty runs over four workers, while workers, coordinator, Restate and PostgreSQL are
 * killed with SIGKILL at random. Prints what was found; exits with 1 where anything was.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../../../test/fleet/kit/postgres.ts'
import { startTestRestate } from '../../../test/fleet/kit/restate.ts'
import { chaos, logPathIn } from './chaos.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    runs: { type: 'string', default: '50' },
    turns: { type: 'string', default: '16' },
    'takes-ms': { type: 'string', default: '6000' },
    workers: { type: 'string', default: '4' },
    slots: { type: 'string', default: '3' },
    'gap-ms': { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'donecheck-chaos-'))
const servers = { restate: await startTestRestate(), postgres: await startTestPostgres() }
const startedAtMs = Date.now()
const inSeconds = (ms: number) => (ms / 1000).toFixed(1)
try {
  const settings = {
    seed: Number(values.seed),
    runs: Number(values.runs),
    turns: Number(values.turns),
    takesMs: Number(values['takes-ms']),
    workers: Number(values.workers),
    slotsPerWorker: Number(values.slots),
    durationMs: Number(values.minutes) * 60_000,
    gapMs: Number(values['gap-ms']),
  }
  const { kills, ended, problems, silences, ...figures } = await chaos(settings, servers, folder, (line) => {
    process.stderr.write(`${inSeconds(Date.now() - startedAtMs)} s: ${line}\n`)
  })
  console.table({
    ...Object.fromEntries(Object.entries(kills).map(([victim, times]) => [`killed: ${victim}`, times])),
    ...Object.fromEntries(
      Object.entries(ended).map(([reason, runs]) => [`runs that ended: ${reason}`, runs]),
    ),
    ...figures,
    problems: problems.length,
    'load of the machine': Number((loadavg()[0] ?? 0).toFixed(1)),
  })
  console.log('the longest silences of runs:')
  for (const { atMs, ms, where } of silences)
    console.log(`${inSeconds(ms)} s from ${inSeconds(atMs - startedAtMs)} s on: ${where}`)
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  await servers.restate.dispose()
  await servers.postgres.dispose()
  if (process.exitCode === 0 && !values.keep) await rm(folder, { recursive: true, force: true })
  else console.log(`what the processes complained of: ${logPathIn(folder)}`)
}
