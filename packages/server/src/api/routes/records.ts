import { z } from 'zod'
import { maskText } from '@donecheck/core/internal/secrets'
import { donecheckVersion, messageOf } from '@donecheck/engine/internal/base'
import { snapshotFolderOf } from '@donecheck/engine/internal/loop/compose'
import { insightsOf, knownRuns, sinceOf } from '@donecheck/engine/internal/insight/insights'
import { unifiedDiffOf } from '@donecheck/engine/internal/analysis/patch'
import { buildReceipt } from '@donecheck/engine/receipt'
import { changesSinceBaseline } from '@donecheck/engine/internal/checks/workspace'
import { recordOf, summaryOf, Problem, get, noQuery } from '../route.ts'
import { insights, receipt, treeChanges, verdictList } from '../shapes.ts'

const verdicts = get({
  path: '/api/runs/:id/verdicts',
  role: 'read',
  summary: 'What the checks of a run have said, in order',
  query: noQuery,
  answers: verdictList,
  async handle({ place, id }) {
    const record = await recordOf(place.store, id)
    const given = record.events.filter((event) => event.type === 'verdict-given')
    return { verdicts: given.map(({ sequence, timeMs, verdict }) => ({ sequence, timeMs, verdict })) }
  },
})

const receiptOfRun = get({
  path: '/api/runs/:id/receipt',
  role: 'read',
  summary:
    'The receipt of a run that has stopped, without the names of git: the service does not look into folders',
  query: noQuery,
  answers: receipt,
  async handle({ place, id }) {
    const { imported, reason } = await summaryOf(place.store, id)
    if (reason === undefined)
      throw new Problem('conflict', `run ${id} has not stopped; ask for its receipt when it has`)
    const { events } = await recordOf(place.store, id)
    return buildReceipt({
      events,
      packageVersion: donecheckVersion,
      nodeVersion: process.version,
      ...(imported === undefined ? {} : { imported }),
    })
  },
})

const maxDiffCharacters = 2_000_000

/** Requires a role that can read the folder anyway, because its secrets are unknown to the record. */
const treeChangesOfRun = get({
  path: '/api/runs/:id/changes',
  role: 'run',
  summary: 'The work folder as it is now beside the baseline tree of the run',
  query: noQuery,
  answers: treeChanges,
  async handle({ place: { store }, id, signal }) {
    const { workFolder, imported } = await summaryOf(store, id)
    const notCompared = (reason: string) => ({ kind: 'not-compared', reason }) as const
    if (workFolder === null) return notCompared('the run had no work folder')
    if (imported === true || store.folder === null)
      return notCompared('the baseline tree is not kept in this store')
    const snapshotFolder = snapshotFolderOf({}, store)
    try {
      const { changes, unknown } = await changesSinceBaseline({ workFolder, snapshotFolder }, id, signal)
      const diff = maskText(unifiedDiffOf(changes), {}).slice(0, maxDiffCharacters)
      return { kind: 'compared', diff, unknown } as const
    } catch (error) {
      return notCompared(messageOf(error))
    }
  },
})

const attachment = get({
  path: '/api/runs/:id/attachments/:digest',
  role: 'read',
  summary: 'A long output, whole, by the digest in its evidence',
  query: noQuery,
  answers: 'text/plain',
  async handle({ place, id, digest }) {
    const found = await place.store.attachment(id, digest)
    if (found === undefined)
      throw new Problem(
        'not-found',
        `run ${JSON.stringify(id)} keeps nothing under ${JSON.stringify(digest)}`,
      )
    return new Response(found.content, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
  },
})

const sums = get({
  path: '/api/insights',
  role: 'read',
  summary: 'Sums over runs; `since` is a span such as 7d, or a day',
  query: z.strictObject({
    since: z.string().max(20).exactOptional(),
    policy: z.string().max(200).exactOptional(),
    model: z.string().max(500).exactOptional(),
    label: z.string().max(200).exactOptional(),
  }),
  answers: insights,
  async handle({ place, query: { since, policy, model, label } }) {
    const sinceMs = since === undefined ? undefined : sinceOf(since, place.nowMs())
    const { rows } = await knownRuns(place.store, sinceMs)
    return insightsOf(
      rows.filter(
        (row) =>
          !row.isPart &&
          row.modelCalls > 0 &&
          (policy === undefined || row.policy === policy) &&
          (model === undefined || row.model === model) &&
          (label === undefined || row.labels.includes(label)),
      ),
    )
  },
})

export const recordRoutes = [verdicts, receiptOfRun, treeChangesOfRun, attachment, sums]
