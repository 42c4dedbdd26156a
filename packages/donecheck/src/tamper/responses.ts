/** What is done about each rule unless somebody says otherwise, and why the rule matters. */
import type { GuardResponse } from '../events/index.ts'
import type { Responses, TamperFinding, TamperRule } from './finding.ts'
import { mayChange, type ProtectOptions } from '../protect/index.ts'

interface RuleText {
  readonly response: GuardResponse
  readonly why: string
}

const restore = 'restore'
const refuse = 'refuse'

const table: Readonly<Record<TamperRule, RuleText>> = {
  'test.deleted': { response: restore, why: 'A test that is gone cannot fail.' },
  'test.renamed-away': { response: restore, why: 'Its new name is not one that the runner looks for.' },
  'test.skipped': { response: restore, why: 'A skipped test cannot fail.' },
  'test.narrowed': { response: restore, why: 'A focused test leaves all the others out.' },
  'test.early-exit': { response: restore, why: 'What ends before its assertions cannot fail.' },
  'test.self-mocked': { response: restore, why: 'A test of a stand-in says nothing about the real thing.' },
  'assertion.removed': { response: restore, why: 'What is not asserted is not tested.' },
  'assertion.weakened': { response: restore, why: 'A weaker assertion lets wrong results pass.' },
  'assertion.trivial': { response: restore, why: 'An assertion that always holds proves nothing.' },
  'expectation.changed': {
    response: restore,
    why: 'Who writes the expected value after the result can make any result right.',
  },
  'snapshot.changed': { response: restore, why: 'A recorded result was replaced by what came out.' },
  'source.test-aware': {
    response: refuse,
    why: 'What behaves otherwise under test is not what was tested.',
  },
  'limit.loosened': {
    response: restore,
    why: 'What failed under the earlier limit may pass under this one.',
  },
  'scope.narrowed': { response: restore, why: 'What is left out of a check cannot fail it.' },
  'runner.replaced': { response: restore, why: 'Another program answers than the one that was agreed on.' },
  'runner.wrapped': { response: restore, why: 'What stands around the runner can rewrite its answer.' },
  'suppression.added': { response: restore, why: 'A silenced complaint is not a mended one.' },
  'exit-code.masked': { response: restore, why: 'A failing check would still exit with 0.' },
  'check-script.changed': { response: restore, why: 'The check is no longer the one that was agreed on.' },
  'ci.weakened': { response: refuse, why: 'It weakens the repository beyond this run.' },
  'config.donecheck-changed': { response: refuse, why: 'It is where the rules of this run are written.' },
  'git.hooks-changed': { response: refuse, why: 'Hooks run on the machine of everybody who commits.' },
  'permissions.changed': { response: refuse, why: 'A check that may not be executed is not run.' },
  'outside.touched': { response: refuse, why: 'It changes how checks run beyond this work folder.' },
  'process.left-over': { response: restore, why: 'A process that is left running can answer for the check.' },
}

/** Every rule, in the order of the table. */
export const tamperRules: readonly TamperRule[] = Object.keys(table).filter(isRule)

function isRule(name: string): name is TamperRule {
  return Object.hasOwn(table, name)
}

/** What is done about each rule where nothing else is configured. */
export const defaultResponses: Responses = Object.fromEntries(
  tamperRules.map((rule) => [rule, table[rule].response]),
) as Record<TamperRule, GuardResponse>

/** One sentence: why the rule matters. */
export function whyOf(rule: TamperRule): string {
  return table[rule].why
}

/** Where the rules of a run are written, whoever writes there would allow it to himself. */
const neverFree: readonly TamperRule[] = ['config.donecheck-changed']

/** Whether a person may allow what the rule is about, by `mayChange`, another response or a waiver. */
export function isFreeable(rule: TamperRule): boolean {
  return !neverFree.includes(rule)
}

/** What is done about this finding: a note where it is usual in honest work or its path may change. */
export function responseTo(
  finding: TamperFinding,
  responses: Responses,
  options: ProtectOptions,
): GuardResponse {
  if (!isFreeable(finding.rule)) return 'refuse'
  if (finding.atMost !== undefined) return finding.atMost
  return mayChange(finding.path, options) ? 'note' : responses[finding.rule]
}
