import { metrics } from '@opentelemetry/api'
import { donecheckVersion } from '../../base/index.ts'

const longSeconds = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
const callSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216]
const dollars = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]
const turns = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]

export type Instruments = ReturnType<typeof createInstruments>

/** Names that begin with `gen_ai.` are those of the conventions. */
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
