/** What the guard can notice. Closed: a rule has one default response and one reason why it matters. */
import type { GuardResponse } from '../events/index.ts'

export type TamperRule =
  // tests
  | 'test.deleted'
  | 'test.renamed-away'
  | 'test.skipped'
  | 'test.narrowed'
  | 'test.early-exit'
  | 'test.self-mocked'
  | 'assertion.removed'
  | 'assertion.weakened'
  | 'assertion.trivial'
  | 'expectation.changed'
  | 'snapshot.changed'
  // what is tested
  | 'source.test-aware'
  // what surrounds them
  | 'limit.loosened'
  | 'scope.narrowed'
  | 'runner.replaced'
  | 'runner.wrapped'
  | 'suppression.added'
  | 'exit-code.masked'
  | 'check-script.changed'
  | 'ci.weakened'
  | 'config.donecheck-changed'
  // beyond the files of the tree
  | 'git.hooks-changed'
  | 'permissions.changed'
  | 'outside.touched'
  | 'process.left-over'

export interface TamperFinding {
  readonly rule: TamperRule
  /** Relative to the work folder, `/` between its parts; for `outside.touched` absolute. */
  readonly path: string
  /** From 1: in the new text, or in the old one where the thing is gone. */
  readonly line?: number
  /** What was found, in one sentence that names the test or the key. */
  readonly message: string
  /** Usual in honest work as well: answered with a note, whatever the rule's response is. */
  readonly atMost?: 'note'
}

export type Responses = Readonly<Record<TamperRule, GuardResponse>>
