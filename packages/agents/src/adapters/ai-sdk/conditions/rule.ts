/** A stop condition of the SDK as a rule of our own loop. */
import type { StepResult, ToolSet } from 'ai'
import { UsageError, assertKnownKeys, optionKeys } from '@donecheck/engine/base'
import type { Rule, RunState } from '@donecheck/core/state'
import type { StopCause } from '@donecheck/core/transitions'
import type { AnyStopCondition } from './conditions.ts'

export interface AiSdkRuleOptions {
  /** For people, and for the record. Default: the name of the function, else `stop condition`. */
  readonly name?: string
  /** The end that it asks for, where it is met. Default: the iteration cap, which is what most of them stand for. */
  readonly cause?: StopCause
}

const aiSdkRuleKeys = optionKeys<AiSdkRuleOptions>()('name cause')

/**
 * For `softVerifiers.rules`: `aiSdkRule(isStepCount(20))`. Asked after every reply whose calls have ended, as the SDK does.
 *
 * It sees what a run remembers: as many steps as there were replies; of the latest 64 calls the names of their tools; the
 * text of the last reply; and what all of them used as the usage of the last step, so that sums are right. Arguments,
 * results and messages are not kept, and stand empty.
 * @throws {UsageError} when it is asked and answers with a promise: a rule is asked again when a run is replayed, and must say the same
 */
export function aiSdkRule(condition: AnyStopCondition, options: AiSdkRuleOptions = {}): Rule {
  assertKnownKeys(options, aiSdkRuleKeys, 'aiSdkRule')
  const name = options.name ?? (condition.name === '' ? 'stop condition' : condition.name)
  const stop = options.cause ?? { reason: 'hard_cap', cap: 'iterations' }
  return (state) => {
    if (state.phase.kind !== 'judging' || state.replies === 0) return undefined
    const met = condition({ steps: stepsOf(state) })
    if (typeof met !== 'boolean')
      throw new UsageError(
        `${name} answers with a promise; a rule must answer at once: give it to verifiedAgent or stopWhen`,
      )
    if (!met) return undefined
    const message = `${name} is met after ${state.replies} ${state.replies === 1 ? 'step' : 'steps'}`
    return {
      rule: 'stop_condition',
      level: 'stop',
      stop,
      message,
      numbers: { steps: state.replies },
      key: name,
      restsOn: [state.sequence],
    }
  }
}

type Step = StepResult<ToolSet>

function stepsOf(state: RunState): Step[] {
  const { replies, turn, activity } = state
  const steps = Array.from({ length: replies }, (_, index) => stepAt(state, index))
  for (const { tool, turn: calledIn, sequence } of activity.calls) {
    // A turn has one reply, but for agents that bring their own tools: there the calls of a turn stand in its last one.
    const step = steps[replies - 1 - (turn - calledIn)]
    step?.toolCalls.push({
      type: 'tool-call',
      toolCallId: `event-${sequence}`,
      toolName: tool,
      input: {},
      dynamic: true,
    })
  }
  return steps
}

function stepAt(state: RunState, index: number): Step {
  const isLast = index === state.replies - 1
  return {
    ...emptyLists(),
    callId: state.runId,
    stepNumber: index,
    model: { provider: state.drive.kind, modelId: state.drive.name },
    toolsContext: {},
    runtimeContext: {},
    text: isLast ? state.lastText : '',
    reasoningText: undefined,
    finishReason: isLast ? finishOf(state) : 'tool-calls',
    rawFinishReason: undefined,
    usage: usageAt(state, isLast),
    performance: unknownPerformance,
    warnings: undefined,
    request: {},
    response: { id: '', timestamp: new Date(state.nowMs), modelId: state.drive.name, messages: [] },
    providerMetadata: undefined,
  }
}

function emptyLists() {
  return {
    content: [],
    reasoning: [],
    files: [],
    sources: [],
    toolCalls: [],
    staticToolCalls: [],
    dynamicToolCalls: [],
    toolResults: [],
    staticToolResults: [],
    dynamicToolResults: [],
  }
}

function finishOf({ lastReplyFinish }: RunState): Step['finishReason'] {
  return lastReplyFinish ?? 'other'
}

function usageAt({ consumption }: RunState, isLast: boolean): Step['usage'] {
  const inputTokens = isLast ? consumption.inputTokens : 0
  const outputTokens = isLast ? consumption.outputTokens : 0
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
  }
}

const unknownPerformance: Step['performance'] = {
  effectiveOutputTokensPerSecond: 0,
  outputTokensPerSecond: undefined,
  inputTokensPerSecond: undefined,
  effectiveTotalTokensPerSecond: 0,
  stepTimeMs: 0,
  responseTimeMs: 0,
  toolExecutionMs: {},
  timeToFirstOutputMs: undefined,
}
