/** Named by the GenAI conventions if they have a name, else under `donecheck.`. */
import { metrics } from '@opentelemetry/api'
import { donecheckVersion, given } from '../../base/index.ts'
import type { FactOf } from '@donecheck/core/internal/events'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { TokenUsage } from '@donecheck/core/internal/usage'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>

const providers: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

export function agentAttributes({ kind, name }: AgentDescription): Attributes {
  if (kind !== 'model') return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }
  const [provider = '', ...model] = name.split('/')
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providers[provider] ?? provider,
    'gen_ai.request.model': model.join('/') || name,
  }
}

export function agentSpanName(agent: AgentDescription): string {
  const who = agentAttributes(agent)
  return `${String(who['gen_ai.operation.name'])} ${String(who['gen_ai.request.model'] ?? agent.name)}`
}

export function usageAttributes(usage: TokenUsage | null, costUsd: number | null): Attributes {
  return given({
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
    'donecheck.tokens_estimated': usage?.estimated === true ? true : undefined,
    'donecheck.cost_usd': costUsd ?? undefined,
  })
}

export function stopAttributes({ reason, outcome, cap, atCap, detector }: StopTransition): Attributes {
  return {
    'donecheck.reason': reason,
    'donecheck.outcome': outcome,
    ...given({ 'donecheck.cap': cap, 'donecheck.at_cap': atCap, 'donecheck.detector': detector }),
  }
}

export function verdictAttributes(verdict: Verdict): Attributes {
  const { verifier, status, score, qualifiers, costUsd, tree } = verdict
  return {
    'gen_ai.evaluation.name': verifier,
    'gen_ai.evaluation.score.label': status,
    ...given({ 'gen_ai.evaluation.score.value': score }),
    ...given({ 'donecheck.tree': tree, 'donecheck.cost_usd': costUsd }),
    ...(qualifiers.length === 0 ? {} : { 'donecheck.qualifiers': [...qualifiers] }),
  }
}

export function userMessages(text: string): Attributes {
  return messages('input', { role: 'user', parts: [{ type: 'text', content: text }] })
}

export function replyMessages({ text, toolCalls, finish }: FactOf<'model-replied'>): Attributes {
  const parts = [
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...toolCalls.map(({ callId, tool, args }) => {
      return { type: 'tool_call', id: callId, name: tool, arguments: args }
    }),
  ]
  return messages('output', { role: 'assistant', parts, finish_reason: finish })
}

function messages(side: 'input' | 'output', message: object): Attributes {
  return { [`gen_ai.${side}.messages`]: JSON.stringify([message]) }
}

const longSeconds = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
const callSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216]
const dollars = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]
const turns = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]

export type Instruments = ReturnType<typeof createInstruments>

export function createInstruments() {
  const meter = metrics.getMeter('donecheck', donecheckVersion)
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { unit, description })
  const histogram = (name: string, unit: string, bounds: number[], description: string) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: bounds } })
  return {
    runs: counter('donecheck.runs', '{run}', 'Runs that ended, by reason and outcome'),
    runSeconds: histogram('donecheck.run.duration', 's', longSeconds, 'Active time of a run'),
    runCost: histogram('donecheck.run.cost', '{USD}', dollars, 'Cost of a run, if it is known'),
    runTokens: histogram('donecheck.run.tokens', '{token}', tokens, 'Tokens of a run'),
    runTurns: histogram('donecheck.run.turns', '{turn}', turns, 'Turns of a run'),
    checkSeconds: histogram('donecheck.check.duration', 's', longSeconds, 'Time of a check, by its verdict'),
    toolCalls: counter('donecheck.tool.calls', '{call}', 'Tool calls, by how they ended'),
    findings: counter('donecheck.findings', '{finding}', 'Findings, by rule'),
    callSeconds: histogram(
      'gen_ai.client.operation.duration',
      's',
      callSeconds,
      'Time of a call of the model or the agent',
    ),
    callTokens: histogram(
      'gen_ai.client.token.usage',
      '{token}',
      tokens,
      'Tokens of a call of the model or the agent',
    ),
  }
}
