/** What Codex itself says of the hooks that it finds: by its app-server, which is asked and ended. */
import { isTrueIn, listIn, numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { startJsonLines } from '../../protocol/stream/index.ts'

export interface ListedHook {
  readonly key: string
  readonly command: string
  readonly hash: string
  /** Such as `trusted`, `untrusted`, `modified` or `managed`. */
  readonly trust: string
  readonly isEnabled: boolean
}

export type HookList =
  | { readonly kind: 'listed'; readonly hooks: readonly ListedHook[] }
  | { readonly kind: 'unknown'; readonly problem: string }

export interface ListRequest {
  /** Absolute. */
  readonly program: string
  /** Whose project hooks are meant. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

const timeoutMs = 15_000

/** Never rejects. */
export async function listHooks({ program, folder, environment }: ListRequest): Promise<HookList> {
  const server = startJsonLines({
    command: { words: [program, 'app-server'] },
    folder,
    environment,
    keepsInputOpen: true,
  })
  const timer = setTimeout(() => void server.end(), timeoutMs)
  try {
    const clientInfo = { name: 'donecheck', title: 'donecheck', version: '0' }
    await server.write({
      id: 1,
      method: 'initialize',
      params: { clientInfo, capabilities: { experimentalApi: true } },
    })
    for await (const line of server.lines) {
      const message = line.kind === 'value' ? payloadOf(line.value) : undefined
      if (message === undefined) continue
      if (numberIn(message, 'id') === 1) {
        await server.write({ method: 'initialized' })
        await server.write({ id: 2, method: 'hooks/list', params: { cwds: [folder] } })
      }
      if (numberIn(message, 'id') === 2) return hooksIn(message)
    }
    return { kind: 'unknown', problem: `codex app-server did not say: ${(await server.ended).problem}` }
  } finally {
    clearTimeout(timer)
    await server.end()
  }
}

function hooksIn(message: Payload): HookList {
  const result = payloadOf(message['result'])
  if (result === undefined) {
    const said = textIn(payloadOf(message['error']), 'message') ?? 'no reason'
    return { kind: 'unknown', problem: `codex app-server does not list hooks: ${said}` }
  }
  const hooks = listIn(result, 'data').flatMap((place) => listIn(place, 'hooks'))
  return {
    kind: 'listed',
    hooks: hooks.map((hook) => ({
      key: textIn(hook, 'key') ?? '',
      command: textIn(hook, 'command') ?? '',
      hash: textIn(hook, 'currentHash') ?? '',
      trust: textIn(hook, 'trustStatus') ?? '',
      isEnabled: isTrueIn(hook, 'enabled'),
    })),
  }
}
