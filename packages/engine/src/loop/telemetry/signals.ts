/** What telemetry says of a run, before any library is asked: spans that begin and end, things that are logged, figures. */

export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>

export type Signal =
  | {
      readonly kind: 'span-begun'
      /** Unique among the open spans of its run. */
      readonly span: string
      /** Null: the span of the run itself. */
      readonly parent: string | null
      readonly name: string
      /** Somebody else does the work: a model, or an agent. */
      readonly isClient: boolean
      readonly timeMs: number
      readonly attributes: Attributes
    }
  | {
      readonly kind: 'span-ended'
      readonly span: string
      readonly timeMs: number
      readonly attributes: Attributes
      /** Of a closed list of words; undefined: it did what it was for. */
      readonly error: string | undefined
    }
  | {
      readonly kind: 'logged'
      /** The span that it belongs to. */
      readonly span: string
      readonly name: string
      readonly severity: Severity
      readonly timeMs: number
      readonly attributes: Attributes
    }
  | {
      readonly kind: 'measured'
      readonly instrument: InstrumentName
      readonly value: number
      readonly attributes: Attributes
    }

export type Severity = 'INFO' | 'WARN' | 'ERROR'

interface Instrument {
  readonly kind: 'counter' | 'histogram'
  readonly unit: string
  readonly description: string
  /** Upper bounds of the buckets of a histogram. */
  readonly bounds?: number[]
}

const longSeconds = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]
// As the conventions for GenAI give them.
const callSeconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216]

/** Every figure, by its name: those that begin with `gen_ai.` are the conventions' own. */
export const instruments = {
  'donecheck.runs': { kind: 'counter', unit: '{run}', description: 'Runs that ended, by reason and outcome' },
  'donecheck.run.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Active time of a run',
    bounds: longSeconds,
  },
  'donecheck.run.cost': {
    kind: 'histogram',
    unit: '{USD}',
    description: 'Cost of a run, where it is known',
    bounds: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
  },
  'donecheck.run.tokens': {
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of a run',
    bounds: tokens,
  },
  'donecheck.run.turns': {
    kind: 'histogram',
    unit: '{turn}',
    description: 'Turns of a run',
    bounds: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144],
  },
  'donecheck.check.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time that a check took, by its verdict',
    bounds: longSeconds,
  },
  'donecheck.tool.calls': {
    kind: 'counter',
    unit: '{call}',
    description: 'Calls of tools, by how they ended',
  },
  'donecheck.findings': { kind: 'counter', unit: '{finding}', description: 'What rules noticed, by rule' },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time that a call of the model or of the agent took',
    bounds: callSeconds,
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of a call of the model or of the agent',
    bounds: tokens,
  },
} as const satisfies Readonly<Record<string, Instrument>>

export type InstrumentName = keyof typeof instruments
