import { StoreError } from '../../../base/index.ts'
import type {
  HostSession,
  KeptRunRow,
  RunRows,
  RunSummary,
  Store,
  Attachments,
  GoalRequests,
  RememberedVerdicts,
  VerifierYield,
} from '../../../ports/store.ts'
import type { Attachment } from '../../../ports/checks.ts'
import type { LeaseRecord } from '../rules/lease-rules.ts'
import {
  closedProblem,
  hostSessionsIn,
  leasesIn,
  type Attempt,
  type HostSessionTable,
} from '../rules/table-methods.ts'
import { isOpenQuestion, questionsIn, questionOfText, type QuestionTable } from '../rules/kept-questions.ts'
import { atOnce, memoryEventLog } from './event-log.ts'
import { memoryRunPages, touch, type Streams } from './run-pages.ts'
import { goalRequestOfText, goalRequestText } from '../texts/goal-request-text.ts'
import type { Verdict } from '@donecheck/core/verdicts'
import {
  assertVerdict,
  byVerifier,
  countVerdict,
  maxRemembered,
  verdictOfText,
  verdictText,
} from '../texts/verdict-text.ts'

/** For tests, and for runs that nobody will want to resume: it is gone with the process. */
export function memoryStore(): Store {
  const place = 'in memory'
  let closed = false
  const attempt: Attempt = async (work) => {
    if (closed) throw new StoreError(place, closedProblem)
    return work()
  }
  /** By name; released ones stay, for their fences. */
  const leaseRecords = new Map<string, LeaseRecord>()
  const leases = {
    recordOf: (name: string) => leaseRecords.get(name),
    keep: (record: LeaseRecord) => void leaseRecords.set(record.lease.name, record),
  }
  const rows = new Map<string, KeptRunRow>()
  const streams: Streams = { byRun: new Map(), latest: 0 }
  const sequenceOf = (runId: string) => streams.byRun.get(runId)?.texts.length ?? 0
  const sessions = memoryHostSessions(sequenceOf)
  const log = memoryEventLog(attempt, {
    streams,
    leaseRecord: leases.recordOf,
    keepHostSession: sessions.keep,
    rows,
  })
  return {
    place,
    folder: null,
    ...log,
    ...memoryRunPages(attempt, streams),
    ...hostSessionsIn(sessions, attempt, atOnce, sequenceOf),
    ...leasesIn(leases, attempt, atOnce),
    ...memoryAttachments(attempt),
    ...memoryRememberedVerdicts(attempt),
    ...memoryGoalRequests(attempt),
    ...questionsIn(memoryQuestionTable(streams), attempt, atOnce),
    ...memoryRunRows(attempt, rows, () => log.list()),
    close: async () => {
      closed = true
    },
  }
}

function memoryAttachments(attempt: Attempt): Attachments {
  const runs = new Map<string, Map<string, Attachment>>()

  function attach(runId: string, { digest, content }: Attachment): void {
    const ofRun = runs.get(runId) ?? new Map<string, Attachment>()
    if (!ofRun.has(digest)) ofRun.set(digest, { digest, content })
    runs.set(runId, ofRun)
  }

  return {
    attach: (runId, attachment) => attempt(() => attach(runId, attachment)),
    attachment: (runId, digest) => attempt(() => runs.get(runId)?.get(digest)),
    attachmentsOf: (runId) =>
      attempt(() =>
        [...(runs.get(runId)?.values() ?? [])].sort((one, other) => (one.digest < other.digest ? -1 : 1)),
      ),
    attachmentDigests: (runId) => attempt(() => [...(runs.get(runId)?.keys() ?? [])].sort()),
    detach: (runId, digests) =>
      attempt(() => {
        for (const digest of digests) runs.get(runId)?.delete(digest)
      }),
  }
}

function memoryHostSessions(sequenceOf: (runId: string) => number): HostSessionTable {
  const sessions = new Map<string, HostSession>()
  return {
    keep: (session) => void sessions.set(session.key, { ...session }),
    of(key) {
      const session = sessions.get(key)
      return session === undefined ? undefined : { ...session, latestSequence: sequenceOf(session.runId) }
    },
    all: () =>
      [...sessions.values()].map(({ key, runId, sequence, updatedAtMs }) => ({
        key,
        runId,
        sequence,
        updatedAtMs,
      })),
  }
}

function memoryRunRows(
  attempt: Attempt,
  rows: Map<string, KeptRunRow>,
  list: () => Promise<readonly RunSummary[]>,
): RunRows {
  return {
    async runRows(sinceMs, runIds) {
      const runs = (await list()).filter(
        ({ startedAtMs, runId }) => startedAtMs >= sinceMs && (runIds?.includes(runId) ?? true),
      )
      const inOrder = runs.toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
      const known = inOrder.map(({ runId, events }) => ({ runId, row: rows.get(runId), events }))
      return {
        rows: known.flatMap(({ row, events }) => (row?.events === events ? { ...row } : [])),
        missing: known.filter(({ row, events }) => row?.events !== events).map(({ runId }) => runId),
        imported: inOrder.filter(({ imported }) => imported === true).map(({ runId }) => runId),
      }
    },
    keepRunRows: (kept) =>
      attempt(() => {
        for (const row of kept) rows.set(row.runId, { ...row })
      }),
  }
}

function memoryGoalRequests(attempt: Attempt): GoalRequests {
  const texts: { readonly number: number; readonly runId: string; readonly text: string }[] = []
  return {
    keepGoalRequest: (runId, request, answered = 0) =>
      attempt(() => {
        const number = Math.max(texts.at(-1)?.number ?? 0, answered) + 1
        texts.push({ number, runId, text: goalRequestText(request) })
        return number
      }),
    goalRequests: (runId, after) =>
      attempt(() =>
        texts.flatMap((kept) => {
          const isAsked = kept.runId === runId && kept.number > after
          const request = isAsked ? goalRequestOfText(kept.text) : undefined
          return request === undefined ? [] : [{ number: kept.number, runId, request }]
        }),
      ),
  }
}

function memoryQuestionTable(streams: Streams): QuestionTable {
  /** By id. */
  const texts = new Map<string, string>()
  return {
    find: (id) => questionOfText(texts.get(id) ?? ''),
    keep(question) {
      texts.set(question.id, JSON.stringify(question))
      touch(streams, question.runId)
    },
    open: () =>
      [...texts.values()]
        .flatMap((text) => questionOfText(text) ?? [])
        .filter(isOpenQuestion)
        .sort((one, other) => one.askedAtMs - other.askedAtMs || (one.id < other.id ? -1 : 1)),
  }
}

function memoryRememberedVerdicts(attempt: Attempt): RememberedVerdicts {
  /** Texts, oldest first: whoever changes a verdict that was given or taken changes nothing here. */
  const texts = new Map<string, string>()
  const yields = new Map<string, VerifierYield>()

  function remember(key: string, verdict: Verdict): void {
    assertVerdict(verdict)
    texts.delete(key)
    texts.set(key, verdictText(verdict))
    for (const oldest of texts.keys()) {
      if (texts.size <= maxRemembered) return
      texts.delete(oldest)
    }
  }

  function recall(key: string): Verdict | undefined {
    const text = texts.get(key)
    return text === undefined ? undefined : verdictOfText(text)
  }

  function learn(verdict: Verdict): void {
    assertVerdict(verdict)
    yields.set(verdict.verifier, countVerdict(yields.get(verdict.verifier), verdict))
  }

  return {
    remember: (key, verdict) => attempt(() => remember(key, verdict)),
    recall: (key) => attempt(() => recall(key)),
    learn: (verdict) => attempt(() => learn(verdict)),
    yields: () => attempt(() => [...yields.values()].sort(byVerifier)),
  }
}
