import {
  claudeAnswers,
  claudeFields,
  claudeSample,
  defineHookProtocol,
  goalClaim,
  patches,
  readers,
  runs,
  unlessGoal,
} from '../../protocol/hooks/index.ts'
import {
  fieldOf,
  payloadOf,
  textIn,
  textOf,
  isTrueIn,
  recordsIn,
  type Payload,
} from '../../protocol/host/index.ts'
import {
  variableIn,
  fileInBoth,
  folderNamed,
  hookSettings,
  type CompanionText,
  type SettingsCompanion,
  readSettings,
  type CompanionHooks,
} from '../../protocol/settings/index.ts'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import {
  findProgram,
  makeScratchFolder,
  removeScratchFolder,
} from '@donecheck/engine/internal/system/process'
import { RpcPeer, startJsonLines } from '../../protocol/stream/index.ts'
import { parse } from 'smol-toml'

/** An unknown key invalidates the full answer, which lets the agent continue, so we send none. */
export const codexHooks = defineHookProtocol({
  agent: 'codex',
  title: 'Codex',
  silentFailures: true,
  ownSettings: (environment) => {
    const home = variableIn(environment, 'CODEX_HOME') ?? '~/.codex'
    return ['.codex/hooks.json', '.codex/config.toml', `${home}/hooks.json`, `${home}/config.toml`]
  },
  events: [
    { event: 'SessionStart', tells: 'start' },
    { event: 'UserPromptSubmit', tells: 'prompt' },
    { event: 'PreToolUse', tells: 'proposal', read: unlessGoal },
    goalClaim,
    { event: 'PostToolUse', tells: 'result', read: unlessGoal },
    { event: 'Stop', tells: 'claim', verifies: true, sample: { last_assistant_message: 'Done.' } },
    { event: 'SessionEnd', tells: 'over', maxSeconds: 3 },
  ],
  fields: claudeFields,
  tools: {
    Bash: runs('command'),
    apply_patch: patches('command'),
    ...readers([
      ...['view_image', 'web_search', 'update_plan', 'get_goal', 'create_goal', 'update_goal'],
      ...['request_user_input', 'list_mcp_resources', 'read_mcp_resource'],
    ]),
  },
  // Failed commands arrive here too, without their exit code.
  result: ({ tool_response: response }) => ({
    status: 'unknown',
    output: textIn(payloadOf(response), 'output') ?? textOf(response),
  }),
  // After a call `continue: false` only replaces its output.
  ...claudeAnswers({ canAsk: false, endsAt: ['claim'] }),
  sample: claudeSample(() => ({ turn_id: 'trial', transcript_path: null, model: 'trial' })),
})

export const codexSettings = hookSettings({
  agent: 'codex',
  file: fileInBoth('CODEX_HOME', '.codex', 'hooks.json'),
  shell: ['/bin/sh', '-lc'],
  obstacles: (settings) =>
    settings.some((one) => payloadOf(one['features'])?.['hooks'] === false)
      ? ['the feature "hooks" is switched off']
      : [],
})

export const codexTrust: SettingsCompanion = {
  file: (place) => join(folderNamed('CODEX_HOME', place, join(place.homeFolder, '.codex')), 'config.toml'),
  async agreeing({ text, hooks, place }): Promise<CompanionText> {
    const digests = await computeDigests(hooks.text, place.environment)
    if (typeof digests === 'string') return { kind: 'unknown', problem: digests }
    const trusted = new Map<HookKey, string>()
    for (const key of keysOfOurs(hooks)) {
      const digest = digests.get(key.slice(hooks.file.length))
      if (digest === undefined) return { kind: 'unknown', problem: `Codex does not know the hook ${key}` }
      trusted.set(key, digest)
    }
    const after = withTrust(text, trusted)
    return after === undefined
      ? { kind: 'unknown', problem: 'what is trusted cannot be written into config.toml as it stands' }
      : { kind: 'agrees', text: after }
  },
  without: (text, hooks) => withoutTrust(text, keysOfOurs(hooks)),
}

/** Codex computes the digests itself, in a scratch home. @returns an error text if they are unknown */
async function computeDigests(
  hooks: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, string> | string> {
  const program = findProgram('codex', environment)
  if (program === undefined) return 'codex is not installed here'
  const home = makeScratchFolder('codex')
  try {
    const file = join(home, 'hooks.json')
    writeFileSync(file, hooks)
    const known = Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const listed = await listHooks({
      program,
      folder: home,
      environment: { ...Object.fromEntries(known), HOME: home, CODEX_HOME: home },
    })
    if (listed.kind === 'unknown') return listed.problem
    return new Map(
      listed.hooks
        .filter(({ key }) => key.startsWith(file))
        .map(({ key, hash }) => [key.slice(file.length), hash] as const),
    )
  } finally {
    removeScratchFolder(home)
  }
}

export interface ListedHook {
  readonly key: string
  readonly command: string
  readonly hash: string
  readonly trust: string
  readonly isEnabled: boolean
}

export type HookList =
  | { readonly kind: 'listed'; readonly hooks: readonly ListedHook[] }
  | { readonly kind: 'unknown'; readonly problem: string }

const timeoutMs = 15_000

/** Lists the hooks that Codex finds. Never rejects. @param program absolute */
export async function listHooks({
  program,
  folder,
  environment,
}: {
  readonly program: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}): Promise<HookList> {
  const command = { words: [program, 'app-server'] as const }
  const server = startJsonLines({ command, folder, environment, keepsInputOpen: true })
  const unknown = (problem: string): HookList => ({ kind: 'unknown', problem: `codex app-server ${problem}` })
  try {
    const peer = new RpcPeer(server)
    const clientInfo = { name: 'donecheck', title: 'donecheck', version: '0' }
    await peer.request('initialize', { clientInfo, capabilities: { experimentalApi: true } }, timeoutMs)
    await peer.notify('initialized')
    const reply = await peer.request('hooks/list', { cwds: [folder] }, timeoutMs)
    if (reply.kind === 'error') return unknown(`does not list hooks: ${reply.message}`)
    if (reply.kind === 'late') return unknown(`did not say within ${timeoutMs / 1000} s`)
    if (reply.kind === 'gone') return unknown(`did not say: ${(await server.ended).problem}`)
    if (!Array.isArray(reply.result['data'])) return unknown('does not list hooks: its answer holds no list')
    return { kind: 'listed', hooks: hooksIn(reply.result) }
  } finally {
    await server.end()
  }
}

function hooksIn(result: Payload): readonly ListedHook[] {
  const hooks = recordsIn(result, 'data').flatMap((place) => recordsIn(place, 'hooks'))
  return hooks.map((hook) => ({
    key: textIn(hook, 'key') ?? '',
    command: textIn(hook, 'command') ?? '',
    hash: textIn(hook, 'currentHash') ?? '',
    trust: textIn(hook, 'trustStatus') ?? '',
    isEnabled: isTrueIn(hook, 'enabled'),
  }))
}

/** `FILE:EVENT:GROUP:INDEX`, with the event in snake case. */
type HookKey = string

export function keysOfOurs({ file, text }: CompanionHooks): readonly HookKey[] {
  const read = readSettings(text, codexSettings)
  if (read.kind === 'unreadable') return []
  return read.hooks
    .filter(({ ours }) => ours?.agent === codexSettings.agent)
    .map(({ event, path }) => `${file}:${snakeCase(event)}:${String(path[2])}:${String(path[4])}`)
}

function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
}

/** Undefined if the text is not TOML. */
export function trustDigestsIn(text: string): ReadonlyMap<HookKey, string> | undefined {
  try {
    const state = payloadOf(fieldOf(fieldOf(parse(text), 'hooks'), 'state')) ?? {}
    return new Map(
      Object.entries(state).flatMap(([key, entry]) => {
        const hash = textIn(entry, 'trusted_hash')
        return hash === undefined ? [] : [[key, hash] as const]
      }),
    )
  } catch {
    return undefined
  }
}

export function withTrust(
  text: string | undefined,
  trusted: ReadonlyMap<HookKey, string>,
): string | undefined {
  const before = text ?? ''
  const status = trustDigestsIn(before)
  if (status === undefined) return undefined
  if ([...trusted].every(([key, hash]) => status.get(key) === hash)) return before
  const bare = withoutTrust(before, [...trusted.keys()])
  const sections = [...trusted].map(
    ([key, hash]) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(hash)}\n`,
  )
  const head = bare === '' || bare.endsWith('\n') ? bare : `${bare}\n`
  const after = `${head}${head === '' ? '' : '\n'}${sections.join('\n')}`
  const said = trustDigestsIn(after)
  return said !== undefined && [...trusted].every(([key, hash]) => said.get(key) === hash) ? after : undefined
}

export function withoutTrust(text: string, keys: readonly HookKey[]): string {
  const headers = new Set(keys.map((key) => `[hooks.state.${JSON.stringify(key)}]`))
  const kept: string[] = []
  let isOurs = false
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('[')) {
      isOurs = headers.has(line.trim())
      if (isOurs && kept.at(-1) === '') kept.pop()
    }
    if (!isOurs) kept.push(line)
  }
  const rest = kept.join('\n')
  return isOurs && rest !== '' && !rest.endsWith('\n') ? `${rest}\n` : rest
}
