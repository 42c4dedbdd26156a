/** What an end rests on that no check has decided: one true line, folded from the record (no model, no opinion). */
import { lastEditOf, latestVerdicts, type RunState } from '../../state/index.ts'

type WorkRecord = RunState['workRecord']

/** From the most to the least; the last one says nothing for or against the work. */
export const evidenceGrades = [
  'tests-passed-after-last-edit',
  'tests-passed-before-last-edit',
  'tests-never-passed',
  'own-script-only',
  'other-commands-only',
  'never-run',
  'nothing-changed',
  'not-recorded',
] as const

export interface EvidenceLine {
  readonly grade: (typeof evidenceGrades)[number]
  /** For people: what the record shows, without a judgement. */
  readonly text: string
}

/** Undefined: a check has decided, or the run has not ended; then the verdicts say what is known. */
export function evidenceOfEnd(state: RunState): EvidenceLine | undefined {
  if (state.phase.kind !== 'stopped' || state.turn === 0) return undefined
  const { outcome } = state.phase.transition
  if (outcome === 'verified' || outcome === 'failed') return undefined
  return outcome === 'unverified' || !isDecidedByCheck(state) ? evidenceOf(state) : undefined
}

function isDecidedByCheck(state: RunState): boolean {
  if (state.unverifiedWork) return false
  return latestVerdicts(state).some(
    ({ verifier: { required, role }, verdict: { status } }) =>
      required && role !== 'guard' && (status === 'passed' || status === 'failed'),
  )
}

/** What the record shows so far. */
export function evidenceOf(state: RunState): EvidenceLine {
  const { workRecord: record } = state
  if (isUntouched(state)) return { grade: 'nothing-changed', text: untouchedText(state) }
  if (record.calls === 0)
    return { grade: 'not-recorded', text: 'what the drive did and ran is not on record' }
  return testEvidence(record) ?? ownEvidence(record) ?? otherEvidence(record)
}

/** The tree is as it was; or, where nobody looks at one, every call that was made only looks. */
function isUntouched({ workspace, workRecord, drive }: RunState): boolean {
  const { baseline, current } = workspace
  if (baseline !== undefined && current !== undefined && baseline !== 'unreadable')
    return baseline === current
  if (drive.sideEffects && workRecord.calls === 0) return false
  return (
    lastEditOf(workRecord) === null && workRecord.ownFiles.length === 0 && workRecord.lastCommand === null
  )
}

function untouchedText({ workFolder }: RunState): string {
  return workFolder === null ? 'nothing was changed' : 'nothing in the work folder was changed'
}

function testEvidence(record: WorkRecord): EvidenceLine | undefined {
  const { lastTests, lastPassedTests, testResult } = record
  if (lastTests === null) return undefined
  if (lastPassedTests === null) return { grade: 'tests-never-passed', text: neverPassed(record) }
  const edit = lastEditOf(record)
  if (edit !== null && lastPassedTests < edit)
    return {
      grade: 'tests-passed-before-last-edit',
      text: 'tests of the project passed before the last change, and were not seen to pass since',
    }
  const but = testResult === 'failed' ? '; the last run of tests failed' : ''
  return {
    grade: 'tests-passed-after-last-edit',
    text: `tests of the project passed after the last change${but}`,
  }
}

function neverPassed({ testResult }: WorkRecord): string {
  const last =
    testResult === 'failed'
      ? '; the last run failed'
      : testResult === 'nothing-ran'
        ? '; the last run ran none'
        : ''
  return `tests of the project were run, and never seen to pass${last}`
}

function ownEvidence(record: WorkRecord): EvidenceLine | undefined {
  const { ownRun, lastCommand } = record
  if (ownRun === null) return undefined
  const edit = lastEditOf(record)
  const when =
    edit === null ? '' : ownRun.sequence < edit ? ', before the last change' : ', after the last change'
  const how = ownRun.failed ? '; its last run failed' : ''
  const what =
    lastCommand === null
      ? 'only a script or test of its own'
      : 'a script or test of its own and other commands'
  return { grade: 'own-script-only', text: `no tests of the project were run, ${what}${when}${how}` }
}

function otherEvidence({ lastCommand }: WorkRecord): EvidenceLine {
  return lastCommand === null
    ? { grade: 'never-run', text: 'it was delivered without being run' }
    : {
        grade: 'other-commands-only',
        text: 'no tests of the project were run, and nothing of its own that tries the work; other commands were',
      }
}
