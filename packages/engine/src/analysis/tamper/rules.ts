/** What can be said of a change of the checks, or of sources that cheat them. Closed: every rule has one reason why it matters. */

const reasons = {
  'test.narrowed': 'A command that names some tests leaves all the others out.',
  'source.test-aware': 'What behaves otherwise under test is not what was tested.',
  'source.test-library': 'A product that loads a library for tests can reach into the check.',
  'source.patches-runner': 'Who changes the runner or the loader can change its answer.',
  'source.equality-blind': 'What equals everything passes every comparison.',
  'source.unreadable': 'What nobody can read may do anything.',
  'scope.narrowed': 'What is left out of a check cannot fail it.',
  'runner.replaced': 'Another program answers than the one that was agreed on.',
  'runner.wrapped': 'What stands around the runner can rewrite its answer.',
  'check-script.changed': 'The check is no longer the one that was agreed on.',
  'config.donecheck-changed': 'It is where the rules of this run are written.',
  'git.hooks-changed': 'Hooks run on the machine of everybody who commits.',
  'permissions.changed': 'A check that may not be executed is not run.',
  'outside.touched': 'It changes how checks run beyond this work folder.',
  'process.left-over': 'A process that is left running can answer for the check.',
} as const

export type TamperRule = keyof typeof reasons

/** Every rule, in the order of the table. */
export const tamperRules: readonly TamperRule[] = Object.keys(reasons).filter(isRule)

function isRule(name: string): name is TamperRule {
  return Object.hasOwn(reasons, name)
}

/** One sentence: why the rule matters. */
export function whyOf(rule: TamperRule): string {
  return reasons[rule]
}

export interface TamperFinding {
  readonly rule: TamperRule
  /** Relative to the work folder, `/` between its parts; for `outside.touched` absolute. */
  readonly path: string
  /** From 1: in the new text, or in the old one where the thing is gone. */
  readonly line?: number
  /** What was found, in one sentence that names the test or the key. */
  readonly message: string
  /** Usual in honest work as well: no more than a note. */
  readonly atMost?: 'note'
}
