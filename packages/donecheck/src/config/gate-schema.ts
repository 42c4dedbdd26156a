/** What can be configured about what may run: rules, approvals, the sandbox, and the commands that are asked about it. */
import { z } from 'zod'
import { listOf } from './check-schema.ts'
import { hookPoints, type HookPoint } from '@donecheck/core/gate'
import { askChoices, sandboxChoices } from '@donecheck/core/base'
import { approvalPolicies } from '@donecheck/engine/ports/gate'

const granular = z.strictObject({
  granular: z.strictObject({
    rules: z.boolean(),
    sandbox_approval: z.boolean(),
    undecidable: z.boolean(),
    changes: z.boolean(),
  }),
})

export const gateFields = {
  /** Files or folders of rules (`*.rules`), relative to where the command is called. */
  rules: z.preprocess(listOf, z.array(z.string())),
  /** Text of the files of `rules` by path, as they were at the start; kept with the run. */
  keptRules: z.record(z.string(), z.string()),
  /** Rules as the functions of `@donecheck/engine/gate` take them; looked at where the gate is made. */
  commandRules: z.array(z.json()),
  /** The same of a configuration in the work folder: rules of the project. Kept with the run. */
  projectCommandRules: z.array(z.json()),
  /** Rules in `.donecheck/rules` of the work folder. Default `tighten`: those that forbid or ask hold, those that allow do not. */
  projectRules: z.enum(['trusted', 'tighten', 'off']),
  /** Text of the project's rule files by path, as they were at the start; kept with the run. */
  keptProjectRules: z.record(z.string(), z.string()),
  /** Command lines of the checks, as they were found at the start; kept with the run. */
  keptCheckLines: z.array(z.string()),
  approval: z.union([z.enum(approvalPolicies), granular]),
  /** Who is asked: a person at the terminal (default), or whoever answers by the page or a command, for which the run waits. */
  ask: z.enum(askChoices),
  /** `shadow`: what the gate would have refused or asked is recorded, and done. Default `on`. */
  gate: z.enum(['on', 'shadow']),
  /** Default `auto`: the first that works here; none where none does, which is said. */
  sandbox: z.enum(sandboxChoices),
  /** Commands in the sandbox may reach the network. Default false. */
  allowNetwork: z.boolean(),
  /** Folders that commands in the sandbox may write besides the work folder. */
  writable: z.array(z.string()),
  yes: z.boolean(),
  /** Every hook and every decision of the gate is shown while the run goes on. */
  trace: z.boolean(),
}

const command = z.string().trim().min(1, 'a command is wanted')

const hook = z.strictObject({
  command,
  /** Stands in every refusal and in the trace. Default: the command. */
  name: z.string().exactOptional(),
  /** Names or patterns of the tools, or of the verifiers, that it is for. Default: all. */
  match: z.union([z.string(), z.array(z.string()).min(1)]).exactOptional(),
  /** Default 30. */
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Lower is earlier. Default 100. */
  priority: z.number().exactOptional(),
  /** What a command means that crashes, hangs or answers nonsense. Default: a refusal, where something can be refused. */
  onFailure: z.enum(['open', 'closed']).exactOptional(),
  /** `shadow`: what it would have done is noted and not done. Default `on`. */
  mode: z.enum(['on', 'shadow']).exactOptional(),
})

export type HookConfig = z.output<typeof hook>

const one = z.union([command.transform((line): HookConfig => ({ command: line })), hook])
const atPoint = z.union([one.transform((single) => [single]), z.array(one)])

/** A point that there is not is refused with the nearest, as any key is. */
export const hookFields = {
  hooks: z
    .strictObject(
      Object.fromEntries(hookPoints.map((point) => [point, atPoint])) as Record<HookPoint, typeof atPoint>,
    )
    .partial(),
  /** SHA-256 of their scripts by path, as they were at the start; kept with the run. */
  keptHookScripts: z.record(z.string(), z.string()),
}
