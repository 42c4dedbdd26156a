/** Secrets are taken out before anything is written (design, section 4.7). Pure: the recorder brings the known values. */

/** Name of the secret (such as the variable it came from) → its value. */
export type SecretValues = Readonly<Record<string, string>>

interface SecretShape {
  readonly name: string
  /** A text without any of these has none of that shape: most texts need no look. */
  readonly hints: readonly string[]
  readonly source: string
}

/** A key begins where no letter of a longer word stands before it; that also keeps every pattern linear. */
const start = '(?<![A-Za-z0-9_-])'

/** Keys whose shape gives them away. Each pattern is linear: no nested or overlapping repetition, bounded look-around. */
const shapes: readonly SecretShape[] = [
  {
    // Base64 lines, after headers such as `DEK-Info: …`; its end may have been cut off by an excerpt.
    name: 'private-key',
    hints: ['-----BEGIN '],
    source:
      '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:\\s{1,4}[A-Za-z-]{1,30}: [^\\n]{1,200}){0,4}[A-Za-z0-9+/=\\s\\\\]{20,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?',
  },
  { name: 'anthropic-key', hints: ['sk-ant-'], source: `${start}sk-ant-[A-Za-z0-9_-]{20,}` },
  // A digit tells a key from words joined by hyphens.
  { name: 'openai-key', hints: ['sk-'], source: `${start}sk-(?=[A-Za-z_-]{0,300}[0-9])[A-Za-z0-9_-]{20,}` },
  {
    name: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    source: `${start}(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})`,
  },
  { name: 'gitlab-token', hints: ['glpat-'], source: `${start}glpat-[A-Za-z0-9_-]{20,}` },
  { name: 'aws-key-id', hints: ['AKIA', 'ASIA'], source: `${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])` },
  { name: 'google-key', hints: ['AIza'], source: `${start}AIza[A-Za-z0-9_-]{35,}` },
  { name: 'slack-token', hints: ['xox'], source: `${start}xox[abeprs]-[A-Za-z0-9-]{10,}` },
  { name: 'npm-token', hints: ['npm_'], source: `${start}npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])` },
  { name: 'hub-token', hints: ['hf_'], source: `${start}hf_[A-Za-z0-9]{30,}` },
  {
    name: 'stripe-key',
    hints: ['k_live_', 'k_test_'],
    source: `${start}[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`,
  },
  {
    name: 'json-web-token',
    hints: ['eyJ'],
    source: `${start}eyJ[A-Za-z0-9_-]{10,4096}\\.eyJ[A-Za-z0-9_-]{10,8192}\\.[A-Za-z0-9_-]{10,}`,
  },
  {
    name: 'bearer-token',
    hints: ['earer '],
    source: '(?<=[Bb]earer )(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9._~+/=-]{20,}',
  },
  {
    name: 'url-password',
    hints: ['://'],
    source: '(?<=[a-z][a-z0-9+.-]{1,20}://[^\\s:/@]{0,64}:)[^\\s:/@]{3,200}(?=@)',
  },
]

/** A shorter value would mask ordinary words. */
const shortestSecretLength = 6

/** Every known value and every text of a known shape becomes `[masked:NAME]`. Idempotent. */
export function maskText(text: string, secrets: SecretValues): string {
  const { names, values, byShape } = compiled(secrets)
  const masked = hasOneOf(names, text)
    ? text.replace(values(), (found) => markOf(names.get(found)) ?? found)
    : text
  return byShape.reduce(
    (before, { name, hints, pattern }) =>
      hints.some((hint) => before.includes(hint))
        ? before.replace(pattern(), (found) => (found.startsWith('[masked:') ? found : `[masked:${name}]`))
        : before,
    masked,
  )
}

interface CompiledSecrets {
  /** Value → name. */
  readonly names: ReadonlyMap<string, string>
  /** All values in one pattern, so that no name of a secret is taken for another secret. Made when it is needed first. */
  readonly values: () => RegExp
  readonly byShape: readonly (Pick<SecretShape, 'name' | 'hints'> & {
    /** Made when it is needed first. */
    readonly pattern: () => RegExp
  })[]
}

/** Patterns are made once for a run's secrets; the table may be deleted at any time. */
const compiledFor = new WeakMap<SecretValues, CompiledSecrets>()

function compiled(secrets: SecretValues): CompiledSecrets {
  const known = compiledFor.get(secrets)
  if (known !== undefined) return known
  const entries = longestFirst(secrets)
  // Only a mark that we could have written is left as it is: a secret inside an invented one is masked.
  const ownNames = [...Object.keys(secrets), ...shapes.map(({ name }) => name)].map(escaped)
  const mark = `\\[masked:(?:${ownNames.join('|')})\\]`
  const result = {
    names: new Map(entries.map(([name, value]) => [value, name])),
    values: once(() => new RegExp([mark, ...entries.map(([, value]) => escaped(value))].join('|'), 'g')),
    byShape: shapes.map(({ name, hints, source }) => ({
      name,
      hints,
      pattern: once(() => new RegExp(`${mark}|(?:${source})`, 'g')),
    })),
  }
  compiledFor.set(secrets, result)
  return result
}

function hasOneOf(values: ReadonlyMap<string, string>, text: string): boolean {
  for (const value of values.keys()) if (text.includes(value)) return true
  return false
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function markOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `[masked:${name}]`
}

function escaped(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A secret that contains another one is replaced as a whole. */
function longestFirst(secrets: SecretValues): [string, string][] {
  return Object.entries(secrets)
    .filter(([, value]) => value.length >= shortestSecretLength)
    .sort(([, one], [, other]) => other.length - one.length)
}

/** The same for every string anywhere inside a value, keys included. Other values come back unchanged. */
export function maskValue<Value>(value: Value, secrets: SecretValues): Value
export function maskValue(value: unknown, secrets: SecretValues): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (Array.isArray(value)) return value.map((entry) => maskValue<unknown>(entry, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [maskText(key, secrets), maskValue<unknown>(entry, secrets)]),
  )
}
