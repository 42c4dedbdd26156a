import type { HookPoint } from '../../events/index.ts'
import { afterToolCallRules, afterTurnRules, beforeTurnRules, runStartedRules } from './message-rules.ts'
import { beforeVerificationRules, onErrorRules, onTransitionRules, runEndedRules } from './observer-rules.ts'
import { outputRules } from './output-rules.ts'
import type { PointRules } from './point-rules.ts'
import { toolCallRules } from './tool-call-rules.ts'
import { afterVerificationRules, beforeFinalizeRules } from './veto-rules.ts'

export const rulesOfPoints: { readonly [Point in HookPoint]: PointRules<Point> } = {
  run_started: runStartedRules,
  before_turn: beforeTurnRules,
  before_tool_call: toolCallRules,
  after_tool_call: afterToolCallRules,
  tool_result_persist: outputRules,
  after_turn: afterTurnRules,
  before_verification: beforeVerificationRules,
  after_verification: afterVerificationRules,
  before_finalize: beforeFinalizeRules,
  on_transition: onTransitionRules,
  on_error: onErrorRules,
  run_ended: runEndedRules,
}
