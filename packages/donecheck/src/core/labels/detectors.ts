/** The loop detectors by name: what each has seen when it ends a run. */
import type { DetectorName } from '../../events/index.ts'

/** One sentence each, for `loop_detected` with this detector. The compiler asks for a new one. */
export const detectorMeanings: Readonly<Record<DetectorName, string>> = {
  generic_repeat: 'The same call gave the same result again and again.',
  known_poll_no_progress: 'A tool that asks for a state was asked again and again, and the state stayed.',
  ping_pong: 'Two calls took turns, and both gave what they had given before.',
  global_circuit_breaker: 'A long row of calls of any kind brought no progress.',
  unknown_tool_repeat: 'A tool that does not exist was called again and again.',
  argument_churn: 'The arguments changed from call to call, and the result stayed.',
  cycle: 'A round of several calls was repeated with the same results.',
  same_failure: 'One and the same failure came back, whatever was called.',
  no_op_edit: 'Edit after edit left the files as they were.',
  repeated_reply: 'The model said the same again and again.',
  thought_loop: 'The model thought the same again and again.',
  failed_check_repeat: 'The same checks failed again and again in the same way.',
  busy_wait: 'The agent asked in quick succession for something that needs time.',
}
