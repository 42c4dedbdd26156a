/** The real agents: where they lie, and how each names what a test needs. */
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Call } from './step.ts'

export const agentNames = [
  'claude',
  'codex',
  'gemini',
  'opencode',
  'qwen',
  'copilot',
  'claude-agent-acp',
  'codex-acp',
] as const

export type AgentName = (typeof agentNames)[number]

export type RealAgent =
  | {
      readonly kind: 'installed'
      readonly name: AgentName
      /** A program of the machine, or a script that node starts by its first line. */
      readonly program: string
      /** Its `node_modules` folder. */
      readonly modules: string
    }
  /** `problem` is for a title: it names the way out. */
  | { readonly kind: 'missing'; readonly name: AgentName; readonly problem: string }

const repository = join(import.meta.dirname, '../../..')

/** The folder of `node test/peers/install.ts agents`: `DONECHECK_AGENTS_FOLDER`, else `.peers/agents` of the repository. */
export function agentsFolder(): string {
  return folderOf('DONECHECK_AGENTS_FOLDER', 'agents')
}

/** The folder of `node test/peers/install.ts sdks`: `DONECHECK_SDKS_FOLDER`, else `.peers/sdks` of the repository. */
export function sdksFolder(): string {
  return folderOf('DONECHECK_SDKS_FOLDER', 'sdks')
}

function folderOf(variable: string, name: string): string {
  const named = process.env[variable]
  return named !== undefined && isAbsolute(named) ? named : join(repository, '.peers', name)
}

/** @param folder above its `node_modules` */
export function realAgent(name: AgentName, folder = agentsFolder()): RealAgent {
  const modules = join(folder, 'node_modules')
  const program = placesOf(name)
    .map((place) => join(modules, place))
    .find((place) => existsSync(place))
  return program === undefined
    ? { kind: 'missing', name, problem: `${name} is not installed: node test/peers/install.ts agents` }
    : { kind: 'installed', name, program, modules }
}

/**
 * @returns the path of a module of an SDK for `await import()`, or why it is not there
 * @param specifier below `node_modules`: a package, or a file of it
 */
export function realSdk(specifier: string): { readonly folder: string } | { readonly problem: string } {
  const folder = join(sdksFolder(), 'node_modules', specifier)
  return existsSync(folder)
    ? { folder }
    : { problem: `${specifier} is not installed: node test/peers/install.ts sdks` }
}

/** Install scripts do not run, so the programs of the platform are meant, not the stubs that would be replaced by them. */
function placesOf(name: AgentName): readonly string[] {
  const platform = `${process.platform}-${process.arch}`
  switch (name) {
    case 'claude':
      return [`@anthropic-ai/claude-code-${platform}/claude`]
    case 'codex':
      return [`@openai/codex-${platform}/vendor/${rustTarget()}/bin/codex`]
    case 'opencode':
      return [`opencode-${platform}/bin/opencode`]
    case 'gemini':
      return ['@google/gemini-cli/bundle/gemini.js']
    case 'qwen':
      return ['@qwen-code/qwen-code/cli-entry.js']
    case 'copilot':
      return ['@github/copilot/npm-loader.js']
    case 'claude-agent-acp':
    case 'codex-acp':
      return [`@agentclientprotocol/${name}/dist/index.js`]
  }
}

/** As Codex names the folder of its program. */
export function rustTarget(): string {
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  return process.platform === 'darwin' ? `${machine}-apple-darwin` : `${machine}-unknown-linux-musl`
}

/** The call by which this agent's model runs a line of shell. */
export function shellCall(name: AgentName, line: string): Call {
  switch (name) {
    case 'claude':
    case 'claude-agent-acp':
      return { tool: 'Bash', args: { command: line, description: 'a step of the script' } }
    case 'codex':
    case 'codex-acp':
      return { tool: 'exec_command', args: { cmd: line } }
    case 'gemini':
      return { tool: 'run_shell_command', args: { command: line, description: 'a step of the script' } }
    case 'qwen':
      return {
        tool: 'run_shell_command',
        args: { command: line, description: 'a step of the script', is_background: false },
      }
    case 'opencode':
    case 'copilot':
      return { tool: 'bash', args: { command: line, description: 'a step of the script' } }
  }
}

/** The words that give it a prompt without a person before it: every tool allowed, its stream of JSON on stdout. */
export function promptWords(name: AgentName, prompt: string): readonly string[] {
  switch (name) {
    case 'claude':
      return [
        '-p',
        prompt,
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'bypassPermissions',
      ]
    case 'codex':
      return ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt]
    case 'gemini':
      return [
        '-p',
        prompt,
        '--output-format',
        'stream-json',
        '-m',
        'gemini-2.5-pro',
        '--approval-mode',
        'yolo',
      ]
    case 'opencode':
      return ['run', '--format', 'json', prompt]
    case 'qwen':
      return ['-p', prompt, '--output-format', 'stream-json', '--approval-mode', 'yolo']
    case 'copilot':
      return ['-p', prompt, '--output-format', 'json', '--allow-all', '--no-ask-user']
    case 'claude-agent-acp':
    case 'codex-acp':
      throw new TypeError(`${name} takes its prompts over the Agent Client Protocol, not as words`)
  }
}
