/** Known exceptions to the gates. The list may only shrink: whoever takes an entry out lowers the number below. */
import type { Problem } from './project.ts'

export interface Exception {
  readonly gate: string
  /** As the gate names the place: a path, or `path#function`. */
  readonly where: string
  readonly reason: string
  /** Such as `2026-11-21`. */
  readonly since: string
}

export const maxExceptions = 1

export const allowList: readonly Exception[] = [
  {
    gate: 'doors',
    where: 'test/e2e/read-command.ts',
    reason: 'what a command prints of a record is read without a process of its own; the command has no door',
    since: '2026-11-24',
  },
]

/** What is left when the exceptions of one gate are taken out. */
export function withoutExceptions(
  gate: string,
  problems: readonly Problem[],
  exceptions: readonly Exception[] = allowList,
): readonly Problem[] {
  return problems.filter(
    ({ where }) => !exceptions.some((exception) => exception.gate === gate && exception.where === where),
  )
}

/** What is wrong with the list itself: an entry that nothing needs any more, or one that does not say why. */
export function listProblems(
  exceptions: readonly Exception[],
  maximum: number,
  problemsOf: (gate: string) => readonly Problem[],
): readonly string[] {
  const complaints = exceptions.flatMap(({ gate, where, reason, since }) => {
    const isNeeded = problemsOf(gate).some((problem) => problem.where === where)
    const isExplained = reason.length >= 10 && /^\d{4}-\d{2}-\d{2}$/.test(since)
    return [
      ...(isNeeded ? [] : [`${gate} at ${where} is not needed any more: take it out`]),
      ...(isExplained ? [] : [`${gate} at ${where} has no reason or no date`]),
    ]
  })
  const isTooLong = exceptions.length > maximum
  return isTooLong ? [...complaints, `${exceptions.length} exceptions, ${maximum} are allowed`] : complaints
}
