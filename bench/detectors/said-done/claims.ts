/**
 * Whether a recorded agent ended its run by itself and claimed to have solved the task. Only the source's own marks count: a
 * way to end, a finishing call, a form that the task demands. Where a source has no such mark, nothing is guessed.
 */
import type { RecordedRun } from '@donecheck/engine/recordings'

/** `not told`: the source does not say whether the agent meant to have done it. */
export type Claim = 'claimed' | 'not claimed' | 'not told'

export interface ClaimRule {
  /** The data file; undefined: every other. */
  readonly file: string | undefined
  /** For people: what counts as a claim in this source, or why nothing does. */
  readonly how: string
  claimOf(run: RecordedRun): Claim
}

export function claimOf(run: RecordedRun): Claim {
  return (claimRules.find(({ file }) => file === run.file) ?? generalRule).claimOf(run)
}

const finishingTools: readonly string[] = [
  'finish',
  'submit',
  'attempt_completion',
  'complete_task',
  'task_complete',
  'task_done',
]

/** For files that are not known here. An automatic submission ("submitted (exit_cost)") is no claim. */
const generalRule: ClaimRule = {
  file: undefined,
  how: `the run's end is called "submitted", or its last call is one of ${finishingTools.join(', ')}; another named end is no claim; no named end: not told`,
  claimOf(run) {
    const tool = lastCall(run)?.name.toLowerCase() ?? ''
    if (/^submitted$/i.test(run.exit ?? '')) return 'claimed'
    if (run.exit == null || run.exit === '') return finishingTools.includes(tool) ? 'claimed' : 'not told'
    return 'not claimed'
  },
}

export const claimRules: readonly ClaimRule[] = [
  {
    file: 'mini-swe-gemini3',
    how: 'the run ended "Submitted": the agent gave its patch in',
    claimOf: (run) => (run.exit === 'Submitted' ? 'claimed' : 'not claimed'),
  },
  {
    file: 'super',
    how: 'the run ended "submitted": the agent gave its result in; an end by context, time or steps is none',
    claimOf: (run) => (run.exit === 'submitted' ? 'claimed' : 'not claimed'),
  },
  {
    file: 'hotpot-react',
    how: 'the last call is `Finish`: the agent gave its answer as final; "halted" is none',
    claimOf: (run) => (lastCall(run)?.name === 'Finish' ? 'claimed' : 'not claimed'),
  },
  {
    file: 'intercode',
    how: 'style ReAct: the run ended "done" by the agent\'s own `submit`. Try-again is ended by the reward, plan-and-solve by the end of its plan: not told',
    claimOf: claimOfIntercode,
  },
  {
    file: 'ljoukov-fs',
    how: 'the last turn calls nothing and lists the files asked for, every box ticked (`- [x]`); a box left open is none',
    claimOf: claimOfCheckList,
  },
  notTold('agents-study', 'no end is recorded; one of its agents works until a fixed number of cycles'),
  notTold(
    'mint',
    'the environment judges every proposed solution, so the run does not end by the word of the agent',
  ),
  notTold('tau-airline', 'the simulated customer ends the talk, not the agent'),
  notTold('tau2-activegraph', 'the simulated customer ends the talk, not the agent'),
  notTold('who-and-when', 'every run was chosen because it failed, so a share would say nothing'),
  generalRule,
]

function notTold(file: string, reason: string): ClaimRule {
  return { file, how: `not counted: ${reason}`, claimOf: () => 'not told' }
}

function claimOfIntercode(run: RecordedRun): Claim {
  if (run.agent !== 'intercode-react') return 'not told'
  const { args } = lastCall(run) ?? {}
  const command = typeof args === 'object' && args !== null && 'command' in args ? args['command'] : undefined
  return run.exit === 'done' && command === 'submit' ? 'claimed' : 'not claimed'
}

function claimOfCheckList({ turns }: RecordedRun): Claim {
  const last = turns.at(-1)
  if (last === undefined || last.toolCalls.length > 0) return 'not claimed'
  const text = last.text ?? ''
  return /^- \[x\]/m.test(text) && !/^- \[ \]/m.test(text) ? 'claimed' : 'not claimed'
}

function lastCall({ turns }: RecordedRun) {
  return turns.at(-1)?.toolCalls.at(-1)
}
