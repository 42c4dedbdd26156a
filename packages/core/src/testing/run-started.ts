import { usualProviderWaits } from '../events/settings/index.ts'
import type { DriveDescription, RunSettings, VerifierDescription } from '../events/settings/index.ts'
import type { Fact, JsonValue } from '../events/index.ts'
import { everyCap, type Caps } from '../budgets/index.ts'

/** A verifier by its name, or with what is different from a required, deterministic one that reads the work tree. */
export type VerifierChoice = string | (Partial<VerifierDescription> & Pick<VerifierDescription, 'name'>)

/** What is different from a run without caps and without verifiers, over a work tree, by a model with tools. */
export interface RunChoices extends Partial<Omit<RunSettings, 'caps' | 'verifiers'>> {
  readonly caps?: Partial<Caps>
  readonly verifiers?: readonly VerifierChoice[]
  readonly drive?: Partial<DriveDescription>
  /** Null: a run without a folder, such as a question and its answer. */
  readonly workFolder?: string | null
  readonly recipe?: JsonValue
  readonly labels?: readonly string[]
}

/** Every cap switched off. */
export const noCaps: Caps = { ...everyCap('field', () => null), maxCallsPerTool: {} }

/** A model that changes nothing by itself, reports its usage and has a known price. */
export const modelDrive: DriveDescription = {
  kind: 'model',
  name: 'test/model',
  sideEffects: false,
  reportsUsage: true,
  prices: { inputPerMillionTokens: 1, outputPerMillionTokens: 10 },
  maxOutputTokens: 4096,
  contextWindowTokens: 64_000,
}

/** An external agent: it changes the tree by itself and says nothing of its usage. */
export const agentDrive: DriveDescription = {
  ...modelDrive,
  kind: 'command',
  name: 'test-agent',
  sideEffects: true,
  reportsUsage: false,
  prices: null,
}

/** The first fact of every run. */
export function runStarted(choices: RunChoices = {}): Extract<Fact, { type: 'run-started' }> {
  const {
    caps,
    verifiers = [],
    drive,
    workFolder = '/srv/tree',
    recipe = null,
    labels,
    ...settings
  } = choices
  return {
    type: 'run-started',
    donecheckVersion: '0.0.0-test',
    workFolder,
    drive: { ...modelDrive, ...drive },
    settings: {
      completeWhen: 'checks',
      verifyWhen: 'on-change-or-claim',
      verifyAtCap: true,
      providerWaits: usualProviderWaits,
      reservesLastCheck: true,
      finalSummary: false,
      finalSummaryTokens: 1024,
      policy: 'deterministic-veto',
      soft: null,
      replyCheck: null,
      ...settings,
      caps: { ...noCaps, ...caps },
      verifiers: verifiers.map(describeVerifier),
    },
    recipe,
    ...(labels === undefined ? {} : { labels }),
  }
}

function describeVerifier(choice: VerifierChoice): VerifierDescription {
  const { name, ...different } = typeof choice === 'string' ? { name: choice } : choice
  return {
    name,
    required: true,
    weight: 1,
    deterministic: true,
    reads: 'workspace',
    role: 'check',
    ...different,
  }
}
