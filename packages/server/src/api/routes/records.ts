import { z } from 'zod'
import { maskText } from '@donecheck/core/internal/secrets'
import { donecheckVersion, messageOf } from '@donecheck/engine/internal/base'
import { snapshotFolderOf } from '@donecheck/engine/internal/loop/compose'
import { insightsOf, knownRuns, sinceOf } from '@donecheck/engine/internal/insight/insights'
import { unifiedDiffOf } from '@donecheck/engine/internal/analysis/patch'
import { buildReceipt } from '@donecheck/engine/receipt'
import { changesSinceBaseline } from '@donecheck/engine/internal/checks/workspace'
import { json, route, routes } from '../route.ts'
import { count, epochMs, list, Problem, text, withId } from '../shapes.ts'
import { requireRecord, requireSummary } from '../workplace.ts'

const verdictList = z.object({
  verdicts: list(
    z.object({
      sequence: count,
      timeMs: epochMs,
      verdict: z.object({ verifier: text, status: text, reason: text }),
    }),
  ),
})

const receipt = z.object({
  _type: text,
  subject: list(z.object({ name: text })),
  predicateType: text,
  predicate: z.object({ runId: text, digest: text }),
})

const treeChanges = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compared'),
    diff: text.describe('unified diff; likely secrets are masked, and a very long diff is cut'),
    unknown: list(text).describe('paths of changed files that are not text'),
  }),
  z.object({ kind: z.literal('not-compared'), reason: text }),
])
export type TreeChanges = z.output<typeof treeChanges>

const maxDiffCharacters = 2_000_000

const amount = z.number()

const rate = z
  .object({
    part: count,
    whole: count,
    share: amount.nullable(),
    interval: z.object({ low: amount, high: amount }),
  })
  .meta({ id: 'Rate', description: 'a ratio of cases with its 95% confidence interval' })

const counted = list(z.object({ name: text, count }))

const figures = z.object({
  runs: count,
  ended: count,
  turns: count,
  modelCalls: count,
  toolCalls: count,
  outcomes: counted,
  reasons: counted,
  caps: counted,
  detectors: counted,
  verified: rate,
  firstTry: rate,
  falseDone: rate,
  roundsToGreen: z.object({ runs: count, median: count.nullable(), mean: amount.nullable() }),
  cost: z.object({ usd: amount, knownRuns: count, perVerifiedUsd: amount.nullable() }),
  tokens: z.object({ input: count, cachedInput: count, output: count, reasoning: count }),
  messages: z.object({ user: count, assistant: count, tool: count }),
  activeHours: amount,
  checks: z.object({
    seconds: amount,
    costUsd: amount,
    flaky: rate,
    each: list(z.object({ name: text, runs: count, failures: count, flakes: count, seconds: amount })),
  }),
  findings: list(z.object({ name: text, runs: count, verified: rate })),
  tools: counted,
})
export type Figures = z.output<typeof figures>

const groups = list(z.object({ name: text, figures }).meta({ id: 'Group' }))

const insights = z
  .object({
    total: figures.nullable(),
    by: z.object({ model: groups, agent: groups, project: groups, week: groups }),
    top: z.object({ tokens: list(z.object({ runId: text, task: text, value: amount })) }),
  })
  .meta({ id: 'Insights' })
export type Insights = z.output<typeof insights>

export const recordRoutes = routes()
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/verdicts',
      summary: 'Verdicts of the checks of a run, in order',
      request: { params: withId },
      responses: { 200: json(verdictList) },
    }),
    async (context) => {
      const { events } = await requireRecord(context.var.workplace.store, context.req.valid('param').id)
      const verdictEvents = events.filter((event) => event.type === 'verdict-given')
      const verdicts = verdictEvents.map(({ sequence, timeMs, verdict }) => ({ sequence, timeMs, verdict }))
      return context.json({ verdicts }, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/receipt',
      summary: 'The receipt of a stopped run, without git commit and tree: the service does not read folders',
      request: { params: withId },
      responses: { 200: json(receipt) },
    }),
    async (context) => {
      const { store } = context.var.workplace
      const { id } = context.req.valid('param')
      const { imported, reason } = await requireSummary(store, id)
      if (reason === undefined)
        throw new Problem('conflict', `Run ${id} is still active; its receipt is available once it stops.`)
      const { events } = await requireRecord(store, id)
      const built = buildReceipt({
        events,
        packageVersion: donecheckVersion,
        nodeVersion: process.version,
        ...(imported === undefined ? {} : { imported }),
      })
      return context.json(built, 200)
    },
  )
  .openapi(
    // Needs a role that can read the folder anyway, because the diff may contain secrets unknown to the record.
    route('run', {
      method: 'get',
      path: '/api/runs/{id}/changes',
      summary: 'Differences between the work folder as it is now and the baseline tree of the run',
      request: { params: withId },
      responses: { 200: json(treeChanges) },
    }),
    async (context) => {
      const { store } = context.var.workplace
      const { id } = context.req.valid('param')
      const { workFolder, imported } = await requireSummary(store, id)
      const notCompared = (reason: string) => context.json({ kind: 'not-compared' as const, reason }, 200)
      if (workFolder === null) return notCompared('The run had no project folder.')
      if (imported === true || store.folder === null)
        return notCompared('This store does not contain the baseline tree.')
      const folders = { workFolder, snapshotFolder: snapshotFolderOf({}, store) }
      try {
        const { changes, unknown } = await changesSinceBaseline(folders, id, context.req.raw.signal)
        const diff = maskText(unifiedDiffOf(changes), {}).slice(0, maxDiffCharacters)
        return context.json({ kind: 'compared' as const, diff, unknown }, 200)
      } catch (error) {
        return notCompared(messageOf(error))
      }
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/runs/{id}/attachments/{digest}',
      summary: 'A long output in full, by the digest in its evidence',
      request: { params: withId.extend({ digest: text }) },
      responses: { 200: { description: 'The output', content: { 'text/plain': { schema: text } } } },
    }),
    async (context) => {
      const { id, digest } = context.req.valid('param')
      const attachment = await context.var.workplace.store.attachment(id, digest)
      if (attachment === undefined)
        throw new Problem(
          'not-found',
          `Run ${JSON.stringify(id)} has no attachment ${JSON.stringify(digest)}.`,
        )
      return context.text(attachment.content, 200)
    },
  )
  .openapi(
    route('read', {
      method: 'get',
      path: '/api/insights',
      summary: 'Totals over runs; `since` is a period such as 7d, or a date',
      request: {
        query: z.strictObject({
          since: z.string().max(20).optional(),
          aggregate: z.string().max(200).optional(),
          model: z.string().max(500).optional(),
          tag: z.string().max(200).optional(),
        }),
      },
      responses: { 200: json(insights) },
    }),
    async (context) => {
      const { workplace } = context.var
      const { since, aggregate, model, tag } = context.req.valid('query')
      const sinceMs = since === undefined ? undefined : sinceOf(since, workplace.nowMs())
      const { rows } = await knownRuns(workplace.store, sinceMs)
      const sums = insightsOf(
        rows.filter(
          (row) =>
            !row.isPart &&
            row.modelCalls > 0 &&
            (aggregate === undefined || row.aggregate === aggregate) &&
            (model === undefined || row.model === model) &&
            (tag === undefined || row.tags.includes(tag)),
        ),
      )
      return context.json(sums, 200)
    },
  )
