import { z } from 'zod'
import { askChoices, sandboxChoices } from '@donecheck/core/internal/base'
import { hookPoints, type HookPoint } from '@donecheck/core/internal/events/gate'
import { approvalPolicies } from '@donecheck/engine/internal/ports/gate'
import { listOf } from './checks.ts'
import { flag } from './flag.ts'

const granular = z.strictObject({
  granular: z.strictObject({
    rules: z.boolean(),
    sandbox_approval: z.boolean(),
    opaque: z.boolean(),
    changes: z.boolean(),
  }),
})

const command = z.string().trim().min(1, 'a command is wanted')

const hook = z.strictObject({
  command,
  /** Default: the command. */
  name: z.string().exactOptional(),
  /** Names or patterns of tools or verifiers. Default: all. */
  match: z.union([z.string(), z.array(z.string()).min(1)]).exactOptional(),
  /** Default 30. */
  timeoutSeconds: z.number().positive().exactOptional(),
  /** Lower runs earlier. Default 100. */
  priority: z.number().exactOptional(),
  /** Default: a refusal, where possible. */
  onFailure: z.enum(['open', 'closed']).exactOptional(),
  /** `shadow` only records. Default `on`. */
  mode: z.enum(['on', 'shadow']).exactOptional(),
})

type HookConfig = z.output<typeof hook>

const one = z.union([command.transform((line): HookConfig => ({ command: line })), hook])
const atPoint = z.union([one.transform((single) => [single]), z.array(one)])
const textByPath = z.record(z.string(), z.string())

export const permissionKeys = {
  yes: flag(
    'permissions',
    '-y, --yes',
    z.boolean(),
    'accept whatever would be asked about a tool call of the model',
  ),
  approval: flag(
    'permissions',
    '--approval <when>',
    z.union([z.enum(approvalPolicies), granular]),
    'when you are asked before a tool runs (default: on-request, what the sandbox does not hold)',
  ),
  trace: flag(
    'permissions',
    '--trace',
    z.boolean(),
    'show every call with what hooks and the gate said of it',
  ),
  ask: z
    .enum(askChoices)
    .describe(
      'who is asked: a person at the terminal (default), or page: whoever answers by the page or a command, for which the run waits',
    ),
  rules: flag(
    'rules',
    '--rules <file>',
    z.preprocess(listOf, z.array(z.string())),
    'rules of commands, as Codex writes them; a file or a folder (repeatable)',
    { isList: true },
  ),
  gate: flag(
    'rules',
    '--gate <mode>',
    z.enum(['on', 'shadow']),
    'shadow: record what would be refused or asked, and let it run',
  ),
  sandbox: flag(
    'permissions',
    '--sandbox <driver>',
    z.enum(sandboxChoices),
    'what confines the commands of the model (default: auto)',
  ),
  allowNetwork: z.boolean().describe('commands in the sandbox may reach the network (default: false)'),
  writable: z
    .array(z.string())
    .describe('folders that commands in the sandbox may write besides the work folder'),
  commandRules: z.array(z.json()).describe('rules as the functions of @donecheck/engine/gate make them'),
  projectRules: z
    .enum(['trusted', 'tighten', 'off'])
    .describe(
      'rules in .donecheck/rules of the work folder (default: tighten, so those that allow do not hold)',
    ),
  hooks: z
    .strictObject(
      Object.fromEntries(hookPoints.map((point) => [point, atPoint])) as Record<HookPoint, typeof atPoint>,
    )
    .partial()
    .describe('commands at the points of the loop, such as { "before_tool_call": "sh guard.sh" }'),
  keptRules: textByPath,
  keptProjectRules: textByPath,
  projectCommandRules: z.array(z.json()),
  keptCheckLines: z.array(z.string()),
  keptHookScripts: textByPath,
}
