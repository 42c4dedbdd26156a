/** The points in their lists, and what a hook that fails can do there. */
import { hookPoints, type HookPoint } from '@donecheck/core/gate'

export type ToolPoint = 'before_tool_call' | 'after_tool_call' | 'tool_result_persist'
export type VerifierPoint = 'before_verification' | 'after_verification' | 'before_finalize'
export type LifecyclePoint = Exclude<HookPoint, ToolPoint | VerifierPoint>

export type HookList = 'tools' | 'verifiers' | 'lifecycle'

interface PointTraits {
  readonly list: HookList
  /** `always`: it fails closed unless told otherwise. `never`: nothing can be refused there. */
  readonly closes: 'always' | 'on-request' | 'never'
}

export const traitsOfPoints: Readonly<Record<HookPoint, PointTraits>> = {
  run_started: { list: 'lifecycle', closes: 'never' },
  before_turn: { list: 'lifecycle', closes: 'never' },
  before_tool_call: { list: 'tools', closes: 'always' },
  after_tool_call: { list: 'tools', closes: 'never' },
  tool_result_persist: { list: 'tools', closes: 'on-request' },
  after_turn: { list: 'lifecycle', closes: 'never' },
  before_verification: { list: 'verifiers', closes: 'always' },
  after_verification: { list: 'verifiers', closes: 'always' },
  before_finalize: { list: 'verifiers', closes: 'always' },
  on_transition: { list: 'lifecycle', closes: 'never' },
  on_error: { list: 'lifecycle', closes: 'never' },
  run_ended: { list: 'lifecycle', closes: 'never' },
}

/** Points at which a hook that fails can refuse, for a sentence. */
export const closingPoints: readonly HookPoint[] = hookPoints.filter(canClose)

export function canClose(point: HookPoint): boolean {
  return traitsOfPoints[point].closes !== 'never'
}
