import { currentSchemaVersion, problemOfFact } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { sha256 } from '../../../base/index.ts'
import type { RememberedVerdicts } from '../../../ports/store.ts'
import { parseEventText } from '../event-text.ts'
import { type Door, readRow } from './door.ts'

const entryRow = { json: 'text', digest: 'text' } as const

export function rememberedVerdicts({ database, attempt, attemptWrite }: Door): RememberedVerdicts {
  const upsertEntry = database.prepare(
    'INSERT OR REPLACE INTO remembered_verdicts (key, json, digest) VALUES (?, ?, ?)',
  )
  const forgetOldest = database.prepare(
    'DELETE FROM remembered_verdicts WHERE id <= (SELECT max(id) FROM remembered_verdicts) - ?',
  )
  const selectEntry = database.prepare('SELECT json, digest FROM remembered_verdicts WHERE key = ?')
  function remember(key: string, verdict: Verdict): void {
    assertVerdict(verdict)
    const [keyText, json] = [JSON.stringify(key), verdictText(verdict)]
    upsertEntry.run(keyText, json, digestOfEntry(keyText, json))
    forgetOldest.run(maxRemembered)
  }

  function recall(key: string): Verdict | undefined {
    const keyText = JSON.stringify(key)
    return verdictOfRow(keyText, selectEntry.get(keyText))
  }

  return {
    remember: (key, verdict) => attemptWrite(() => remember(key, verdict)),
    recall: (key) => attempt(() => recall(key)),
  }
}

/** @returns undefined if missing or changed since */
export function verdictOfRow(keyText: string, row: unknown): Verdict | undefined {
  const entry = readRow(entryRow, row)
  if (entry === undefined) return undefined
  return entry.digest === digestOfEntry(keyText, entry.json) ? verdictOfText(entry.json) : undefined
}

/** Above this number the oldest verdicts are deleted. */
export const maxRemembered = 10_000

/** Wrapped as an event, so that event parsing validates and upgrades it. */
export function verdictText(verdict: Verdict): string {
  const header = { schemaVersion: currentSchemaVersion, id: '', runId: '', sequence: 1, timeMs: 0 }
  return JSON.stringify({ ...header, type: 'verdict-given', verdict })
}

/** @returns undefined unless exactly a verdict: running the check again is always safe */
function verdictOfText(text: string): Verdict | undefined {
  const parsed = parseEventText(text)
  if (parsed.kind === 'invalid' || parsed.event.type !== 'verdict-given') return undefined
  return parsed.event.verdict
}

/** Hex SHA-256 against accidental damage, not against tampering. */
export function digestOfEntry(keyText: string, verdictJson: string): string {
  return sha256(`${keyText}\n${verdictJson}`)
}

/** @throws {TypeError} for a verdict that could not be read back */
export function assertVerdict(verdict: Verdict): void {
  const problem = problemOfFact({ type: 'verdict-given', verdict })
  if (problem !== undefined)
    throw new TypeError(`the verdict of ${verdict.verifier} cannot be kept: ${problem}; give a whole verdict`)
}
