/** All hooks of one point on one occasion. */
import type { HookPoint } from '@donecheck/core/gate'
import type { Clock } from '../../../ports/loop.ts'
import type { HookAnswer, HookInputs } from '../../../ports/callbacks.ts'
import type { Counted } from './counters.ts'
import type { PointRules } from '../merge/point-rules.ts'
import { rulesOfPoints } from '../merge/rules-of-points.ts'
import type { Onces } from './once.ts'
import { isFor, runOne, type Done } from './run-one.ts'
import type { RegisteredHook } from '../register/registered-hook.ts'

export interface Occurrence<Point extends HookPoint> {
  readonly point: Point
  readonly input: HookInputs[Point]
}

export interface FireContext {
  readonly clock: Clock
  readonly onces: Onces
  readonly note: (hook: RegisteredHook, counted: Counted) => void
}

type Ran = HookAnswer<HookPoint>['ran'][number]

/** @param hooks of that point, in their order */
export async function fireAt<Point extends HookPoint>(
  hooks: readonly RegisteredHook[],
  { point, input }: Occurrence<Point>,
  { clock, onces, note }: FireContext,
): Promise<HookAnswer<Point>> {
  const rules = rulesOfPoints[point]
  const ran: Ran[] = []
  let answer: Answer<Point> = { merged: rules.nothing, refusal: undefined }
  for (const hook of hooks) {
    const seen = rules.after(input, answer.merged)
    const match = isFor(hook, seen)
    if (match === false || !onces.take(hook, input.runId)) continue
    const isDecided = rules.isDecided(answer.merged, answer.refusal)
    const done = isDecided ? skipped : await runOne(hook, seen, { rules, clock, match })
    if (isDecided || done.kind === 'failed') onces.giveBack(hook, input.runId)
    note(hook, done.counted)
    ran.push({ hook: hook.name, point, order: ran.length + 1, ...callOf(input), ...reportedRun(done) })
    answer = mergeAnswer(answer, done, hook, rules)
  }
  const { merged, refusal } = answer
  return { merged, ran, ...(refusal === undefined ? {} : { refusal }) }
}

interface Answer<Point extends HookPoint> {
  readonly merged: HookAnswer<Point>['merged']
  readonly refusal: string | undefined
}

const skipped = {
  kind: 'skipped',
  shown: { effect: 'skipped', note: 'an earlier hook has refused' },
  counted: { effect: 'skipped', durationMs: 0, isWithheld: false },
} as const

/** What is only watched changes nothing, whatever it answers. */
function mergeAnswer<Point extends HookPoint>(
  before: Answer<Point>,
  done: Done<Point>,
  { name, isWatched, failsClosed }: RegisteredHook,
  rules: PointRules<Point>,
): Answer<Point> {
  const { merged, refusal } = before
  if (isWatched || done.kind === 'skipped') return before
  if (done.kind === 'answered') return { merged: rules.merge(merged, done.result, name), refusal }
  if (!failsClosed) return before
  const own = `hook ${name} failed, and fails closed: ${done.problem}`
  return { merged: rules.refuse(merged, own), refusal: refusal === undefined ? own : `${refusal}\n${own}` }
}

function callOf(input: HookInputs[HookPoint]): { readonly callId?: string } {
  return 'callId' in input ? { callId: input.callId } : {}
}

function reportedRun({
  shown,
  counted,
}: Done<HookPoint>): Pick<Ran, 'effect' | 'note' | 'told' | 'durationMs'> {
  return { ...shown, durationMs: counted.durationMs }
}
