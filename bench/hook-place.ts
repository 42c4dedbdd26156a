import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqliteStore } from 'donecheck'
import { createAgentSession, writeSessionFile, type AgentSession } from '@donecheck/agents/internal/session'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { command } from '@donecheck/engine/verify'

const program = fileURLToPath(new URL('../packages/donecheck/bin/donecheck.js', import.meta.url))
const sessionId = 'a-session'

export interface HookPlace {
  /** Milliseconds of a Node that does nothing. */
  readonly bare: () => number
  readonly hook: (event: string, payload: object) => number
  /** The same in a project with rules of its user. */
  readonly underRules: (event: string, payload: object) => number
  /** The same in a project that has no hooks configured. */
  readonly elsewhere: (event: string, payload: object) => number
  readonly remove: () => void
}

/** Projects with a session that is at work, and has so many events behind it. */
export async function hookPlace(events: number): Promise<HookPlace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-hook-')))
  const [home, project, ruled, other] = ['home', 'project', 'ruled', 'other'].map((name) => join(root, name))
  if (home === undefined || project === undefined || ruled === undefined || other === undefined)
    throw new TypeError('no folders')
  for (const folder of [home, project, ruled, other]) mkdirSync(folder)
  const environment = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') }
  const place = { environment, homeFolder: home }
  await layProject({ ...place, workFolder: project }, {}, events)
  await layProject({ ...place, workFolder: ruled }, { 'project.rules': rules }, events)
  const installed = join(home, 'state', 'donecheck', 'installed')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'a-project.json'), JSON.stringify({ projects: [project, ruled] }))
  const run = (folder: string, event: string, payload: object, session_id = sessionId) => {
    const told = { session_id, cwd: folder, hook_event_name: event, ...payload }
    const hookWords = [program, 'hook', 'claude-code', event]
    return processMs(hookWords, JSON.stringify(told), folder, environment)
  }
  return {
    bare: () => processMs(['-e', '0'], '', project, environment),
    hook: (event, payload) => run(project, event, payload),
    underRules: (event, payload) => run(ruled, event, payload),
    elsewhere: (event, payload) => run(other, event, payload, 'another-session'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

const rules = `prefix_rule(pattern=["git", "push"], decision="prompt", justification="the others build on it")
prefix_rule(pattern=["npm", ["publish", "unpublish"]], decision="forbidden")
`

async function layProject(
  place: Parameters<typeof writeSessionFile>[0] & { readonly workFolder: string },
  keptRules: Readonly<Record<string, string>>,
  events: number,
): Promise<void> {
  const { workFolder } = place
  const config = { until: [{ command: 'npm test' }], keptRules, keptProjectRules: {} }
  writeSessionFile(place, { config, workFolder })
  const store = openSqliteStore({ folder: defaultStoreFolder(place) })
  await atWork(
    await createAgentSession({
      ...{ agent: 'claude-code', sessionId, workFolder, store, baseline: 'tree' as const },
      hardVerifiers: [command('npm test')],
    }),
    events,
  )
  await store.close()
}

async function atWork(agentSession: AgentSession, events: number): Promise<void> {
  await agentSession.observe({ kind: 'prompted', prompt: 'a long piece of work' })
  for (let index = 0; (agentSession.state?.sequence ?? events) < events; index += 1) {
    const act = { kind: 'command' as const, script: `cat file-${index}.txt` }
    const call = { callId: `c-${index}`, tool: 'Bash', args: { command: act.script }, act }
    await agentSession.observe({
      kind: 'tool-finished',
      call,
      result: { status: 'ok', output: `line ${index}` },
    })
  }
}

/** @throws {Error} where the process says anything: then it is not what was to be measured */
function processMs(
  words: readonly string[],
  input: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): number {
  const startedMs = performance.now()
  const options = { input, cwd: folder, env: environment, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, words, options)
  const took = performance.now() - startedMs
  if (stdout.length + stderr.length > 0) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  return took
}
