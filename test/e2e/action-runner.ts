/** Steps of the action as a runner would do them: expressions filled in, each line in a shell of its own, outputs read back. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from '../architecture/read-tree.ts'

const step = z.object({
  id: z.string().optional(),
  uses: z.string().optional(),
  if: z.string().optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  with: z.record(z.string(), z.coerce.string()).default({}),
  env: z.record(z.string(), z.string()).default({}),
  'working-directory': z.string().optional(),
})
export const action = z
  .object({
    inputs: z.record(z.string(), z.object({ default: z.string().default('') })),
    outputs: z.record(z.string(), z.object({ value: z.string() })),
    runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
  })
  .parse(parse(readFileSync(join(repositoryRoot, 'action.yml'), 'utf8')))

export interface Job {
  /** Holds the folder `project`, and what the runner needs. */
  readonly root: string
  readonly inputs: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
  readonly outputs: Record<string, string>
}

/** The few expressions that the action uses. What is none of them is not guessed. */
function evaluate(expression: string, job: Job): string {
  const part = expression.trim()
  const named = /^(?:inputs|steps\.check\.outputs)\.([\w-]+)$/.exec(part)?.[1]
  if (part === 'github.token') return 'secret'
  if (named !== undefined)
    return part.startsWith('inputs.')
      ? (job.inputs[named] ?? filled(action.inputs[named]?.default ?? 'unknown input', job))
      : (job.outputs[named] ?? '')
  const compared = /^((?:inputs|steps\.check\.outputs)\.[\w-]+) (==|!=) '([^']*)'$/.exec(part)
  if (compared === null) throw new Error(`an expression that this runner does not know: ${part}`)
  const isSame = evaluate(compared[1] ?? '', job) === compared[3]
  return String(isSame === (compared[2] === '=='))
}

const filled = (template: string, job: Job) =>
  template.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression, job))

function isWanted({ if: condition = '' }: z.output<typeof step>, hasFailed: boolean, job: Job): boolean {
  const parts = condition
    .split('&&')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.includes('always()')
    ? parts.every((part) => part === 'always()' || evaluate(part, job) === 'true')
    : !hasFailed
}

export async function shell(
  root: string,
  line: string,
  environment: Readonly<Record<string, string>>,
  folder: string,
) {
  const file = join(root, 'step.sh')
  writeFileSync(file, line)
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
    cwd: folder,
    env: environment,
  })
  child.stdin.end()
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    log: (await Promise.all([text(child.stdout), text(child.stderr)])).join(''),
    exitCode: (await exit) ?? 1,
  }
}

/** As the runner does: every step in turn, what failed keeps later ones from running but those that are always wanted. */
export async function runAction(job: Job) {
  let exitCode = 0
  const logs: string[] = []
  const used: string[] = []
  for (const one of action.runs.steps) {
    if (!isWanted(one, exitCode !== 0, job)) continue
    if (one.uses !== undefined) used.push(one.uses)
    if (one.run === undefined) continue
    const env = Object.fromEntries(Object.entries(one.env).map(([name, value]) => [name, filled(value, job)]))
    const folder = join(job.root, 'project', filled(one['working-directory'] ?? '.', job))
    const ended = await shell(job.root, one.run, { ...job.environment, ...env }, folder)
    logs.push(ended.log)
    if (exitCode === 0) exitCode = ended.exitCode
    if (one.id === 'check') Object.assign(job.outputs, readOutputs(job))
  }
  return { exitCode, log: logs.join(''), used }
}

function readOutputs({ environment }: Job): Record<string, string> {
  const written = readFileSync(environment['GITHUB_OUTPUT'] ?? '', 'utf8')
  const found = [...written.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)]
  return Object.fromEntries(found.map(([, name = '', , value = '']) => [name, value]))
}
