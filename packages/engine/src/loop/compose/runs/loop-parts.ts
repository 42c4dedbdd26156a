/** What a loop is made of, for each of its runs. */
import type { JsonValue, SandboxDescription } from '@donecheck/core/events'
import type { RunSettings } from '@donecheck/core/settings'
import type { SecretValues } from '@donecheck/core/secrets'
import type { Judgement } from '@donecheck/core/decide'
import type { HookPipeline } from '../../../policy/callbacks/index.ts'
import type { World } from '../../run/index.ts'

export interface LoopParts {
  readonly secrets: SecretValues
  readonly judgement: Judgement
  readonly settings: RunSettings
  readonly workFolder: string | null
  readonly recipe: JsonValue
  readonly labels: readonly string[]
  readonly allowConcurrent: boolean
  readonly signal: AbortSignal
  /** Within what the commands of its tools run. Null: it brings no tool that runs any. */
  readonly sandbox: SandboxDescription | null
  /** The same that stand in the doors, with the test that they can fire. */
  readonly hooks: HookPipeline
  readonly doors: Omit<World, 'signal' | 'history'>
}
