/** What a person reads first of a run: who works, where, and what ends it. */
import { firstLines, oneLine } from '@donecheck/core/base'
import type { FactOf } from '@donecheck/core/events'
import { checksOnly, type RunSettings } from '@donecheck/core/settings'
import type { RunState } from '@donecheck/core/state'
import { capsLine, hasTokenCap, tokensInTurns } from './budget-lines.ts'
import { sandboxLines } from './gate-lines.ts'
import { line, type Line } from './line.ts'

/** Nobody drives it: it has no turns, and no cap ends it. */
export function isVerification({ drive }: RunState): boolean {
  return drive.name === checksOnly
}

export function startLines(event: FactOf<'run-started'>, state: RunState): readonly Line[] {
  const { donecheckVersion, parent, sandbox, settings, drive } = event
  if (isVerification(state))
    return [line('quiet', `donecheck ${donecheckVersion} · verification ${state.runId}`)]
  const partOf = parent === undefined ? '' : ` · part of run ${parent.runId}`
  const inTurns = tokensInTurns(settings.caps, drive)
  return [
    line('strong', `donecheck ${donecheckVersion} · run ${state.runId}${partOf}`),
    ...whoAndUntil(state),
    ...(inTurns === undefined ? [] : [line('quiet', inTurns)]),
    ...sandboxLines(sandbox),
    ...[...uncounted(state), ...switchedOff(settings)].map((text) => line('warning', `! ${text}`)),
  ]
}

/** Whoever goes on reads again what it is that goes on. */
export function resumeLines(state: RunState): readonly Line[] {
  return [
    line('strong', `resumed run ${state.runId} at turn ${state.turn}`),
    ...whoAndUntil(state),
    line('plain', firstLines(`task: ${state.task}`, 6, '')),
  ]
}

function whoAndUntil({ drive, settings, workFolder }: RunState): readonly Line[] {
  const checks = namesOfChecks(settings)
  const guard = settings.verifiers.length > checks.length ? ' · guarded' : ''
  const folder = workFolder === null ? '' : ` · folder: ${workFolder}`
  const until = checks.length > 0 ? checks.join(' · ') : '(nothing)'
  return [
    line('quiet', `drive: ${oneLine(drive.name, 100)}${folder}`),
    line('quiet', `until: ${until} · caps: ${capsLine(settings.caps)}${guard}`),
  ]
}

function namesOfChecks({ verifiers }: RunSettings): readonly string[] {
  return verifiers.filter(({ role }) => role !== 'guard').map(({ name }) => oneLine(name, 80))
}

/** What cannot hold the run, or cannot be proven by it. */
function uncounted({ drive, settings }: RunState): readonly string[] {
  return [
    ...(drive.reportsUsage || !hasTokenCap(settings.caps)
      ? []
      : ['this drive does not report its tokens: the token cap cannot hold it']),
    ...(drive.kind === 'model' && drive.prices === null
      ? [`the price of ${oneLine(drive.name, 100)} is unknown: the cost is not counted`]
      : []),
    ...(namesOfChecks(settings).length > 0 || settings.replyCheck !== null
      ? []
      : ['no check is given: the run can end only as unverified']),
  ]
}

/** What is off, or only records, is said at the start. */
function switchedOff({ soft, finalSummary, verifyAtCap }: RunSettings): readonly string[] {
  if (soft === null) return []
  const modes = {
    'loop detection': soft.loopDetection.mode,
    stagnation: soft.stagnation.mode,
    ...(soft.tokenBudget === null ? {} : { 'token budget': soft.tokenBudget.mode }),
  }
  const rules = Object.entries({ ...modes, ...soft.loopDetection.detectors })
  const off = [
    ...rules.filter(([, mode]) => mode === 'off').map(([name]) => name),
    ...(finalSummary ? [] : ['summary of a run that ends early']),
    ...(verifyAtCap ? [] : ['last check at a cap']),
  ]
  const shadow = rules.filter(([, mode]) => mode === 'shadow').map(([name]) => name)
  return [
    ...(off.length > 0 ? [`switched off: ${off.join(', ')}`] : []),
    ...(shadow.length > 0 ? [`only recorded: ${shadow.join(', ')}`] : []),
  ]
}
