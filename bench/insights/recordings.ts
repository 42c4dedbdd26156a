/** Recorded runs of other agents, as events of ours: what the source does not tell is not made up. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import { failedVerdict, passedVerdict, runStarted, stamp, type Step } from '@donecheck/core/testing'
import {
  goalSet,
  modelCalled,
  modelReplied,
  runStopped,
  toolCalled,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'

export const recordings =
  process.env['DONECHECK_TRAJECTORIES'] ??
  fileURLToPath(new URL('../../../shared/trajectories', import.meta.url))

const recordedRun = z.object({
  id: z.string(),
  task: z.string().nullish(),
  model: z.string().nullable(),
  agent: z.string(),
  outcome: z.object({ resolved: z.boolean().nullable() }),
  turns: z.array(
    z.object({
      text: z.string().nullish(),
      toolCalls: z
        .array(
          z.object({
            name: z.string(),
            args: z.json(),
            argsDigest: z.string(),
            result: z.string().nullish(),
            isError: z.boolean().nullish(),
          }),
        )
        .default([]),
      tokens: z.object({ in: z.number().nullish(), out: z.number().nullish() }).nullish(),
    }),
  ),
})

export type RecordedRun = z.infer<typeof recordedRun>

/** Of every file of runs, in their order. */
export function readRecordings(folder: string): readonly RecordedRun[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort()
    .flatMap((name) =>
      gunzipSync(readFileSync(join(folder, name)))
        .toString('utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => recordedRun.parse(JSON.parse(line)))
}

/** The ground truth is the one check: it is asked at the end, where the source tells it. */
const check = 'ground truth'

const hourMs = 3_600_000

/** @param index one run begins an hour after the other */
export function eventsOf(
  { task, model, agent, outcome, turns }: RecordedRun,
  index: number,
): readonly RunEvent[] {
  const description = model === null ? { kind: 'external' as const, name: agent } : { name: model }
  const steps = turns.map((turn, place): Step => {
    const ends = place === turns.length - 1 ? verification(outcome.resolved) : []
    return [turnSteps(turn, place + 1), ends, turnEnded(place + 1)]
  })
  return stamp(
    [
      runStarted({ verifiers: [check], agent: description, workFolder: `/srv/${agent}` }),
      goalSet((task ?? '').slice(0, 500)),
      steps,
      end(outcome.resolved),
    ],
    {
      runId: `run-${String(index).padStart(6, '0')}`,
      startMs: Date.UTC(2026, 0, 1) + index * hourMs,
      stepMs: 1000,
    },
  )
}

function turnSteps({ text, toolCalls, tokens }: RecordedRun['turns'][number], turn: number): Step {
  const usage =
    tokens?.in == null || tokens.out == null
      ? null
      : { inputTokens: tokens.in, outputTokens: tokens.out, estimated: false }
  const calls = toolCalls.map(({ name, args, argsDigest }, index) => ({
    ...{ callId: `${turn}-${index}`, tool: name, args, argsDigest },
  }))
  const performed = toolCalls.map(({ name, result, isError }, index): Step => [
    toolCalled(`${turn}-${index}`, 'execute', name),
    toolReturned(`${turn}-${index}`, result ?? '', isError === true ? 'error' : 'ok'),
  ])
  return [
    modelCalled(turn),
    modelReplied({ text: text ?? '', toolCalls: calls, usage, costUsd: null }),
    performed,
  ]
}

function verification(resolved: boolean | null): Step {
  if (resolved === null) return []
  const verdict = resolved ? passedVerdict(check) : failedVerdict(check)
  return [verificationStarted('claim', check), verdictGiven(verdict)]
}

function end(resolved: boolean | null): Step {
  if (resolved === true) return runStopped('task_complete', { outcome: 'verified' })
  return runStopped('model_ended', { outcome: 'unverified' })
}
