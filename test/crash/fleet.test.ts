/** A minute of `npm run bench:chaos`: everything that a fleet is made of is killed while it works. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chaos } from '../../bench/fleet/chaos/chaos.ts'
import { describeWithPostgres } from '../fleet/kit/postgres.ts'
import { describeWithRestate } from '../fleet/kit/restate.ts'

describeWithRestate('given a fleet whose Restate is killed', (restate) => {
  describeWithPostgres('and so are its PostgreSQL, its coordinator and its workers', (postgres) => {
    it('brings every run to its end: no event lost, no call done twice, no budget exceeded', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'donecheck-chaos-'))
      const settings = {
        ...{ seed: 10, runs: 10, turns: 5, takesMs: 800 },
        ...{ workers: 2, slotsPerWorker: 3, durationMs: 20_000, gapMs: 3_000 },
      }
      const servers = { restate: restate(), postgres: postgres() }
      try {
        const { problems, ended } = await chaos(settings, servers, folder, () => undefined)
        expect(problems).toEqual([])
        expect(Object.values(ended).reduce((sum, runs) => sum + runs, 0)).toBe(settings.runs)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  })
})
