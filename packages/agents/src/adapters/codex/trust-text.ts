/** What Codex trusts, as text of its `config.toml`: a section for each hook, all else untouched. Pure. */
import { parse } from 'smol-toml'
import { payloadOf, textIn } from '../../protocol/hooks/index.ts'
import { readSettings, type CompanionHooks } from '../../protocol/settings/index.ts'
import { codexSettings } from './settings.ts'

/** `FILE:EVENT:GROUP:INDEX`, with the event in snake case. */
export type HookKey = string

/** Of the hooks of ours, in the order in which they stand. */
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

/** The digests that stand there; undefined for text that is no TOML. */
export function trustDigestsIn(text: string): ReadonlyMap<HookKey, string> | undefined {
  const state = stateIn(text)
  if (state === undefined) return undefined
  return new Map(
    Object.entries(state).flatMap(([key, entry]) => {
      const hash = textIn(payloadOf(entry), 'trusted_hash')
      return hash === undefined ? [] : [[key, hash] as const]
    }),
  )
}

function stateIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return payloadOf(payloadOf(payloadOf(parse(text))?.['hooks'])?.['state']) ?? {}
  } catch {
    return undefined
  }
}

/** @returns undefined where it cannot be said in this text: it is no TOML, or has these hooks in another form */
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

/** Sections of these keys alone go, with the empty line before each; what else stands in them goes too. */
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
