/** Verdicts worth remembering, and what is known of each verifier. */
import {
  assertVerdict,
  digestOfEntry,
  maxRemembered,
  verdictOfRow,
  verdictText,
  yieldOf,
} from '@donecheck/engine/store/parts'
import type { RememberedVerdicts } from '@donecheck/engine/ports/store'
import type { Database } from './connection.ts'

export function postgresRememberedVerdicts({ rows }: Database): RememberedVerdicts {
  return {
    async remember(key, verdict) {
      assertVerdict(verdict)
      const [keyText, json] = [JSON.stringify(key), verdictText(verdict)]
      await rows(
        `INSERT INTO donecheck.remembered_verdicts (key, json, digest) VALUES ($1, $2, $3)
         ON CONFLICT (tenant, key) DO UPDATE SET id = DEFAULT, json = excluded.json, digest = excluded.digest`,
        [keyText, json, digestOfEntry(keyText, json)],
      )
      await rows(
        `DELETE FROM donecheck.remembered_verdicts
         WHERE id <= (SELECT id FROM donecheck.remembered_verdicts ORDER BY id DESC OFFSET $1 LIMIT 1)`,
        [maxRemembered],
      )
    },
    async recall(key) {
      const keyText = JSON.stringify(key)
      const [row] = await rows('SELECT json, digest FROM donecheck.remembered_verdicts WHERE key = $1', [
        keyText,
      ])
      return verdictOfRow(keyText, row)
    },
    /** Where the answer was lost one may be counted twice: the order of checks is worth less than the checks. */
    async learn(verdict) {
      assertVerdict(verdict)
      await rows(
        `INSERT INTO donecheck.verifier_yields AS known (verifier, runs, failures, total_ms) VALUES ($1, 1, $2, $3)
         ON CONFLICT (tenant, verifier) DO UPDATE SET runs = known.runs + 1,
           failures = known.failures + excluded.failures, total_ms = known.total_ms + excluded.total_ms`,
        [JSON.stringify(verdict.verifier), Number(verdict.status === 'failed'), verdict.durationMs],
      )
    },
    async yields() {
      const sql = 'SELECT verifier, runs, failures, total_ms FROM donecheck.verifier_yields ORDER BY verifier'
      return (await rows(sql)).flatMap(yieldOf)
    },
  }
}
