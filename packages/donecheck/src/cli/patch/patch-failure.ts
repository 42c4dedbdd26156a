import { usageExitCode } from '../process/exit-code.ts'

/** What `donecheck patch` says in JSON where it could not even begin. @param problem a sentence */
export function patchFailure(exitCode: number, problem: string): object {
  const kind = exitCode === usageExitCode ? 'wrong-usage' : 'error'
  return { type: 'patch', kind, problem, recoveries: [] }
}
