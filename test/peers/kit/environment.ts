/** The environment of an agent that knows nobody but the fake model server, and the files that it wants in its home. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { realAgent, type AgentName } from './agents.ts'

export type Environment = Readonly<Record<string, string>>

/**
 * The whole environment: nothing of ours comes with it but the PATH of the system and node, before which stands a folder of
 * `home` in which the agent lies under its own name, so that whatever looks for `claude` finds the real one. No telemetry,
 * no updates. May be called for several agents over one home.
 *
 * @param server without a path: `http://127.0.0.1:PORT`
 * @param home exists, and belongs to the test
 */
export async function environmentFor(agent: AgentName, server: string, home: string): Promise<Environment> {
  await linkAgent(agent, home)
  await mkdir(temporaryFolder(home), { recursive: true })
  return { ...plainEnvironment(home), ...(await settingsOf(agent, server, home)) }
}

/** What V8 has compiled, of donecheck and of agents that run on Node, and what agents unpack, for all tests and also those of tomorrow. */
const compiledFolder = join(import.meta.dirname, '../../../.peers/compiled')

/** What every program of a test gets: its own home and state. */
export function plainEnvironment(home: string): Environment {
  const path = [binFolder(home), dirname(process.execPath), ...systemPath()]
  return {
    PATH: path.join(delimiter),
    HOME: home,
    XDG_STATE_HOME: join(home, '.local/state'),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    TMPDIR: temporaryFolder(home),
    NO_COLOR: '1',
    // Every place has a new home: without this each would compile the same programs anew.
    NODE_COMPILE_CACHE: compiledFolder,
    // A proxy of the machine must not be asked for loopback; there are none in this environment either.
    NO_PROXY: '127.0.0.1,localhost',
  }
}

/** The temporary folder of every program of a test. Not above `CODEX_HOME`, or Codex warns. */
export function temporaryFolder(home: string): string {
  return join(home, 'tmp')
}

function binFolder(home: string): string {
  return join(home, '.donecheck-test-bin')
}

/** Without the folders of packages: no agent of the machine may be found instead of the one that is meant. */
function systemPath(): readonly string[] {
  const known = [
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
    '/opt/homebrew/bin',
  ]
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => known.includes(folder))
}

async function linkAgent(name: AgentName, home: string): Promise<void> {
  const agent = realAgent(name)
  if (agent.kind === 'missing') throw new Error(agent.problem)
  await mkdir(binFolder(home), { recursive: true })
  const link = join(binFolder(home), name)
  if (!existsSync(link)) await symlink(agent.program, link)
  if (agent.program.endsWith('.js')) await layNode(home)
}

/**
 * The node that agents find: without compilers that pay only where code runs for minutes. A quarter of what a session of Gemini CLI
 * costs, which compiles parsers of shells for each.
 */
async function layNode(home: string): Promise<void> {
  const node = join(binFolder(home), 'node')
  const script = `#!/bin/sh\nexec '${process.execPath}' --liftoff-only --no-maglev "$@"\n`
  if (!existsSync(node)) await writeFile(node, script, { mode: 0o755 })
}

async function settingsOf(agent: AgentName, server: string, home: string): Promise<Environment> {
  switch (agent) {
    case 'claude':
    case 'claude-agent-acp':
      return claudeSettings(server)
    case 'codex':
      return codexSettings(server, home)
    case 'codex-acp':
      return { ...(await codexSettings(server, home)), ...codexProgram() }
    case 'gemini':
      return geminiSettings(server, home)
    case 'opencode':
      return opencodeSettings(server, home)
    case 'qwen':
      return qwenSettings(server, home)
    case 'copilot':
      return copilotSettings(server)
  }
}

/**
 * For agents that are built with Bun: a session of a test is over before code that runs often was worth compiling a second time, or
 * memory worth collecting beside the work. A quarter of Claude Code's processor time, a sixth of opencode's.
 */
const shortLivedBun: Environment = { BUN_JSC_useDFGJIT: '0', BUN_JSC_useConcurrentGC: '0' }

function claudeSettings(server: string): Environment {
  return {
    ...shortLivedBun,
    ANTHROPIC_BASE_URL: server,
    ANTHROPIC_API_KEY: 'sk-ant-dummy',
    // It refuses to skip permissions as root where it does not know that it is in a sandbox.
    IS_SANDBOX: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

/** As `CODEX_HOME`. */
export function codexHome(home: string): string {
  return join(home, '.codex')
}

async function codexSettings(server: string, home: string): Promise<Environment> {
  // A name that it knows: an unknown one gets no `apply_patch`.
  const config = `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

# Its sandbox would lay a folder .git into /tmp for the time of a command, and leave it there when it is killed.
[sandbox_workspace_write]
exclude_slash_tmp = true

[model_providers.fake]
name = "fake"
base_url = "${server}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
plugins = false
apps = false
`
  await writeOnce(join(codexHome(home), 'config.toml'), config)
  return { CODEX_HOME: codexHome(home) }
}

/** The adapter brings an older Codex; the tests want the one that they know. */
function codexProgram(): Environment {
  const codex = realAgent('codex')
  return codex.kind === 'installed' ? { CODEX_PATH: codex.program } : {}
}

async function geminiSettings(server: string, home: string): Promise<Environment> {
  // In a form of which it changes nothing by itself.
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
  await writeOnce(join(home, '.gemini/settings.json'), JSON.stringify(settings, null, 2))
  return {
    GOOGLE_GEMINI_BASE_URL: server,
    GEMINI_API_KEY: 'dummy',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    NO_BROWSER: '1',
  }
}

/** As opencode knows it. Dollars for a million tokens. */
const opencodeProvider = {
  id: 'anthropic',
  name: 'Anthropic',
  env: ['ANTHROPIC_API_KEY'],
  npm: '@ai-sdk/anthropic',
  models: {
    'claude-sonnet-4-5': {
      id: 'claude-sonnet-4-5',
      name: 'Claude Sonnet 4.5',
      release_date: '2025-09-29',
      attachment: true,
      reasoning: true,
      temperature: true,
      tool_call: true,
      cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      limit: { context: 200_000, output: 64_000 },
    },
  },
}

async function opencodeSettings(server: string, home: string): Promise<Environment> {
  const options = { baseURL: `${server}/v1`, apiKey: 'dummy' }
  const config = {
    // It would add this by itself.
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    model: 'anthropic/claude-sonnet-4-5',
    small_model: 'anthropic/claude-sonnet-4-5',
    provider: { anthropic: { options } },
    permission: { bash: 'allow', edit: 'allow' },
  }
  await writeOnce(join(home, '.config/opencode/opencode.json'), JSON.stringify(config, null, 2))
  const models = join(home, '.config/opencode-models.json')
  await writeOnce(models, JSON.stringify({ anthropic: opencodeProvider }))
  await layPlugin(join(home, '.config/opencode'))
  return {
    ...shortLivedBun,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // It would read all models of the world, and load plugins for other providers: half of its start.
    OPENCODE_MODELS_PATH: models,
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }
}

/**
 * opencode installs `@opencode-ai/plugin` into each of its configuration folders, over the network, unless its lock file says
 * that it is there: a project with a folder `.opencode` needs this too.
 */
async function layPlugin(folder: string): Promise<void> {
  const agent = realAgent('opencode')
  if (agent.kind === 'missing') throw new Error(agent.problem)
  const name = '@opencode-ai/plugin'
  const plugin = join(agent.modules, name)
  if (!existsSync(plugin)) throw new Error(`${name} is not installed: node test/peers/install.ts agents`)
  const dependencies = { [name]: '*' }
  await writeOnce(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  const lock = { lockfileVersion: 3, packages: { '': { dependencies } } }
  await writeOnce(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const link = join(folder, 'node_modules', name)
  if (existsSync(link)) return
  // Only this one: whatever installs into a linked `node_modules` would change that of all tests.
  await mkdir(dirname(link), { recursive: true })
  await symlink(plugin, link)
}

async function qwenSettings(server: string, home: string): Promise<Environment> {
  const settings = {
    security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
  await writeOnce(join(home, '.qwen/settings.json'), JSON.stringify(settings, null, 2))
  return {
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${server}/v1`,
    OPENAI_MODEL: 'fake-model',
    QWEN_CODE_NO_RELAUNCH: 'true',
  }
}

function copilotSettings(server: string): Environment {
  return {
    COPILOT_PROVIDER_BASE_URL: `${server}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    // It unpacks itself at its first start, which would be in each new home: two thirds of a session.
    COPILOT_CACHE_HOME: join(compiledFolder, 'copilot'),
  }
}

async function writeOnce(path: string, content: string): Promise<void> {
  if (existsSync(path)) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
