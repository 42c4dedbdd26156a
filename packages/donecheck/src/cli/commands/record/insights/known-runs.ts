/** The runs that a question is about: of one store or several, from a time on, with labels. */
import { realPath } from '@donecheck/engine/base'
import { knownRuns, sinceOf, type KnownRuns, type RunRow } from '@donecheck/engine/insights'
import { resolve } from 'node:path'
import type { StoreFlags } from '../../../options/flags.ts'
import type { CliIo } from '../../../process/io.ts'
import { withStore } from '../../../settings/settings.ts'
import { plural } from '@donecheck/core/base'

export interface QuestionFlags extends StoreFlags {
  readonly since?: string
  /** Folders. */
  readonly project?: readonly string[]
  readonly label?: readonly string[]
}

export interface Question {
  readonly rows: readonly RunRow[]
  /** For people: of which runs it is answered, and what was left out. */
  readonly scope: readonly string[]
}

/** Of the project in which the command is called, where none is named. */
export async function runsInQuestion(flags: QuestionFlags, io: CliIo, nowMs: number): Promise<Question> {
  const { since, project = [], label: labels = [], ...store } = flags
  const sinceMs = since === undefined ? undefined : sinceOf(since, nowMs)
  const places: readonly StoreFlags[] =
    project.length === 0 || store.store !== undefined ? [store] : project.map((workdir) => ({ workdir }))
  const known: KnownRuns[] = []
  for (const place of places) known.push(await withStore(place, io, (opened) => knownRuns(opened, sinceMs)))
  const folders =
    store.store === undefined ? [] : project.map((folder) => realPath(resolve(io.currentFolder, folder)))
  const all = known.flatMap(({ rows }) => rows)
  const rows = all.filter(
    (row) =>
      !row.isPart &&
      row.modelCalls > 0 &&
      labels.every((label) => row.labels.includes(label)) &&
      (folders.length === 0 || (row.project !== null && folders.includes(row.project))),
  )
  return { rows, scope: scopeOf(known, rows, { sinceMs, labels, projects: project }) }
}

interface Asked {
  readonly sinceMs: number | undefined
  readonly labels: readonly string[]
  readonly projects: readonly string[]
}

function scopeOf(
  known: readonly KnownRuns[],
  rows: readonly RunRow[],
  { sinceMs, labels, projects }: Asked,
): readonly string[] {
  const all = known.flatMap((one) => one.rows)
  const importedIds = new Set(known.flatMap(({ imported }) => imported))
  const imported = rows.filter(({ runId }) => importedIds.has(runId)).length
  const parts = all.filter(({ isPart }) => isPart).length
  const damaged = known.reduce((sum, one) => sum + one.damaged, 0)
  return [
    [
      plural(rows.length, 'run'),
      sinceMs === undefined ? '' : ` begun since ${new Date(sinceMs).toISOString().slice(0, 16)}Z`,
      projects.length === 0 ? '' : ` in ${projects.join(', ')}`,
      labels.length === 0 ? '' : `, labelled ${labels.join(' and ')}`,
    ].join(''),
    ...(imported === 0 ? [] : [`${plural(imported, 'run')} imported: nothing of them was observed here`]),
    ...(parts === 0
      ? []
      : [`left out: ${plural(parts, 'run')} that did a part of another, which counts them`]),
    ...(damaged === 0
      ? []
      : [`${plural(damaged, 'record')} cannot be read to the end: what is before it counts`]),
  ]
}
