/** Known key formats. Every pattern is linear: no unbounded nested repetition, bounded look-around. */

export interface SecretShape {
  readonly name: string
  /** A text without any hint cannot match, which skips most texts. */
  readonly hints: readonly string[]
  /** The group `secret` is masked and ends the match; without that group, the full match. */
  readonly source: string
  readonly flags?: 'i'
  /** Default: accepts every match. */
  readonly accepts?: (found: RegExpExecArray, text: string) => boolean
}

/** A new pattern per call, because a global RegExp keeps its position. */
export function patternOf({ source, flags }: SecretShape, mark?: string): RegExp {
  return new RegExp(mark === undefined ? source : `${mark}|(?:${source})`, `g${flags ?? ''}`)
}

interface SecretPart {
  /** Start of the full match, name included, in UTF-16 units. */
  readonly start: number
  readonly secretStart: number
  readonly end: number
}

/** @param pattern of this shape, with existing masks */
export function secretsOf(
  { accepts, hints }: SecretShape,
  text: string,
  pattern: () => RegExp,
): readonly SecretPart[] {
  if (!hints.some((hint) => text.includes(hint))) return []
  return [...text.matchAll(pattern())].flatMap((found) => {
    const { index, 0: all, groups } = found
    if (all.startsWith('[masked:') || accepts?.(found, text) === false) return []
    const end = index + all.length
    return [{ start: index, secretStart: end - (groups?.['secret'] ?? all).length, end }]
  })
}

const names = 'passw(?:or)?d|passphrase|pwd|secret|token|credential|(?<=[a-z0-9][_-]?)key'
/** A prefix that marks the name as a credential rather than a table key or a token of a text. */
const strongBefore = '(?<=(?<strong>api|access|auth|client|private|secret|refresh|x-[a-z]{1,20})[_-]?)'
const set = '[ \\t]{0,3}(?:=>|:=|=|:|>)[ \\t]{0,3}'
const valueBehindQuote = `(?<=["'\`])[^\\s"'\`\\\\]{6,4096}`
// Followed by a bracket or the like, it is program code.
const bareValue = `[^\\s"'\`\\\\<>&,;=(){}[\\]]{6,4096}={0,2}(?![^\\s"'\`\\\\<>&,;)}\\]])`

const namedValue: SecretShape = {
  name: 'named-secret',
  hints: ['assw', 'ASSW', 'assphrase', 'ASSPHRASE', 'wd', 'WD', 'ecret', 'ECRET', 'oken', 'OKEN', 'redential', 'REDENTIAL', 'key', 'Key', 'KEY'], // prettier-ignore
  source: `(?:${strongBefore}|)(?<name>${names})(?:[_-]?(?:base|value|[0-9]{1,3}))?(?<set>\\\\{0,2}["'\`)\\]]{0,2}(?:${set}|[ \\t](?:(?:is|was)[ \\t])?)\\\\{0,2}["'\`]?)(?<secret>${valueBehindQuote}|${bareValue})`,
  flags: 'i',
  accepts: (found, text) => {
    const { name = '', strong, set: sign = '', secret = '' } = found.groups ?? {}
    if (placeholder.test(secret)) return false
    if (looksRandom(secret)) return true
    const before = text.slice(Math.max(0, found.index - 40), found.index)
    const isFlag = /(?:^|\s)--[\w-]*$/.test(before)
    const isCapital = name === name.toUpperCase() && /^[=:]/.test(sign)
    const isOfJson = /^\\{0,2}"[ \t]*:/.test(sign)
    if (!isCapital && !isOfJson && !isFlag && (strong === undefined || !/[=:]|^>/.test(sign))) return false
    const hasBoth = /[0-9]/.test(secret) && /[a-z]/i.test(secret)
    if (/^p/i.test(name)) return hasBoth || /[^\w.:/-]/.test(secret)
    if (!/^key/i.test(name) || strong !== undefined) return hasBoth && secret.length >= 8
    return isCapital && /(?=[a-z+/]*[0-9])(?=[0-9+/]*[a-z])[a-z0-9+/]{16}/i.test(secret)
  },
}

/** Variables of a shell or a template, and human placeholders. */
const placeholder =
  /^[$<{%*@]|\$[{(]|\{\{|\[masked:|x{4}|\*{3}|your|placeholder|redacted|(?:^|\.)env\.|^https?:|\.\w+\(/i

/** Digests, ids, paths, versions, checksums, words and small joined numbers. */
const known =
  /^[0-9a-f]+$|^[0-9A-F]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^sha\d+[-=]|^[./~]|^data:|^\d[\d.:TZ+-]*$|^iVBOR|^\/9j\/|^R0lGOD|^PHN2Zy|^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_.:/](?:[a-z]+\d{0,2}|\d{1,4}))+$/i

function looksRandom(value: string): boolean {
  if (value.length < 16 || known.test(value)) return false
  const kinds = Array.from(value.slice(0, 400), kindOf)
  const digits = kinds.filter((kind) => kind === 'digit').length
  const letters = kinds.filter((kind) => kind === 'small' || kind === 'capital').length
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
  // Names change case or hyphenate once per word, and words have more than three letters.
  return digits >= 2 && letters >= 8 && changes * 3 >= kinds.length && new Set(value).size >= 12
}

function kindOf(letter: string): 'digit' | 'small' | 'capital' | 'sign' {
  if (letter >= '0' && letter <= '9') return 'digit'
  if (letter >= 'a' && letter <= 'z') return 'small'
  return letter >= 'A' && letter <= 'Z' ? 'capital' : 'sign'
}

/** Prefixes as listed by gitleaks and secretlint. Only minimum lengths, because issuers lengthen keys. */
interface PrefixedKeys {
  /** `digits-and-letters`: no other characters. `word`: also `-`, `_`, `.` and Base64, then a digit. */
  readonly alphabet: 'digits-and-letters' | 'word'
  readonly atLeast: number
  /** The name shown in the mask, and the prefixes. */
  readonly prefixes: readonly (readonly [name: string, beginnings: string])[]
}

const prefixedKeys: readonly PrefixedKeys[] = [
  {
    alphabet: 'digits-and-letters',
    atLeast: 20,
    prefixes: [
      ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_'],
      ['hub-token', 'hf_ api_org_'],
      ['groq-key', 'gsk_'],
      ['xai-key', 'xai-'],
      ['perplexity-key', 'pplx-'],
      ['replicate-token', 'r8_'],
      ['npm-token', 'npm_'],
      ['rubygems-key', 'rubygems_'],
      ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_'],
      ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_'],
      ['stripe-webhook-secret', 'whsec_'],
      ['shopify-token', 'shpat_ shpca_ shppa_ shpss_'],
      ['grafana-token', 'glsa_'],
      ['notion-token', 'ntn_ secret_'],
      ['linear-key', 'lin_api_ lin_oauth_'],
      ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_'],
      ['cloudflare-token', 'cfk_ cfut_ cfat_'],
      ['age-key', 'AGE-SECRET-KEY-1'],
      ['doppler-token', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.'],
      ['pulumi-token', 'pul-'],
      ['new-relic-key', 'NRAK- NRAA- NRII- NRJS-'],
      ['supabase-token', 'sbp_'],
      ['netlify-token', 'nfp_'],
    ],
  },
  {
    alphabet: 'word',
    atLeast: 20,
    prefixes: [
      ['anthropic-key', 'sk-ant-'],
      ['openai-key', 'sk-'],
      ['github-token', 'github_pat_'],
      ['gitlab-token', 'glpat- gldt- glrt- glcbt- glptt- glsoat- glagent- gloas- glft- glimt-'],
      ['google-key', 'AIza'],
      ['google-token', 'ya29. GOCSPX- 1//0'],
      ['slack-token', 'xapp- xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs-'],
      ['pypi-token', 'pypi-AgE'],
      ['docker-token', 'dckr_pat_ dckr_oat_'],
      ['vault-token', 'hvs. hvb. hvr.'],
      ['grafana-token', 'glc_eyJ'],
      ['doppler-token', 'dp.st.'],
      ['figma-token', 'figd_'],
      ['tailscale-key', 'tskey-'],
      ['sentry-token', 'sntrys_ sntryu_'],
      ['onepassword-token', 'ops_eyJ'],
      ['atlassian-token', 'ATATT3 ATCTT3 ATBB'],
      ['square-token', 'sq0atp- sq0csp- sq0idp-'],
      ['mapbox-token', 'pk.eyJ sk.eyJ tk.eyJ'],
      ['postman-key', 'PMAK-'],
      ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_'],
      ['circleci-token', 'CCIPAT_'],
      ['heroku-key', 'HRKU-'],
      ['dynatrace-token', 'dt0c01.'],
      ['easypost-key', 'EZAK EZTK'],
    ],
  },
]

const escapeCode = String.fromCharCode(0x1b)

/**
 * A key starts at a word boundary, which also keeps every pattern linear. The last letter of an escape does
 * not count: `\n` in JSON, `%3D` in a URL, the `m` of a color; nor does a diff sign.
 */
const start = `(?:(?<![A-Za-z0-9_-])|(?<=(?:^|\\n|\\\\n)-)|(?<=\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|${escapeCode}\\[[0-9;]{0,12}m))`

const word = '[A-Za-z0-9_-]'
const base64 = '[A-Za-z0-9+/]'

function literally(beginning: string): string {
  return beginning.replaceAll('.', '\\.')
}

/** Matches everything up to the next gap, so that nothing of a joined key remains. */
const prefixed: readonly SecretShape[] = prefixedKeys.flatMap(({ alphabet, atLeast, prefixes }) =>
  prefixes.map(([name, beginnings]) => {
    const hints = beginnings.split(' ')
    const body =
      alphabet === 'word'
        ? `(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9_.~+/=-]{${atLeast - 1},}[A-Za-z0-9_=-]`
        : `(?=[A-Za-z]{0,300}[0-9])[A-Za-z0-9]{${atLeast},}${word}*`
    return { name, hints, source: `${start}(?:${hints.map(literally).join('|')})${body}` }
  }),
)

const newline = '(?:\\r?\\n|\\\\{1,4}r?\\\\{0,4}n)'
/** Mail quotes, diff signs, indentation, quotes and line numbers. */
const margin = '[^A-Za-z0-9\\n\\\\]{0,16}(?:[0-9]{1,6}[^A-Za-z0-9\\n\\\\]{1,8})?'
const lineRest = '[^A-Za-z0-9\\n\\\\]{0,16}'
const keyEnd = '-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----'
const keyHeader = '[A-Za-z-]{1,30}: [^\\n\\\\]{1,200}'

/** Masked first, because the dashes around a key would hide an adjacent one. */
const privateKeys: readonly SecretShape[] = [
  {
    // Multi-line or single-line; an excerpt may have cut its end.
    name: 'private-key',
    hints: ['-----BEGIN '],
    source: `-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?=[^]{0,800}?[A-Za-z0-9+/=]{16})(?:[A-Za-z0-9+/= ]{16,20000}|(?:${lineRest}${newline}(?![^\\n\\\\]{0,32}-----END)${margin}(?:${keyHeader}|[A-Za-z0-9+/=]{0,4096})(?![A-Za-z0-9+/=:])){1,600})(?:${lineRest}(?:${newline})?${margin}${keyEnd})?`,
  },
  {
    // The end of a key whose start was cut off.
    name: 'private-key',
    hints: ['PRIVATE KEY'],
    source: `(?<![^\\n])(?:${margin}[A-Za-z0-9+/=]{4,4096}${lineRest}${newline}){1,100}${margin}${keyEnd}`,
  },
]

const otherShapes: readonly SecretShape[] = [
  { name: 'aws-key-id', hints: ['AKIA', 'ASIA'], source: `${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])` },
  { name: 'azure-signature', hints: ['sig='], source: '(?<=[?&;]sig=)[A-Za-z0-9+/%]{40,}={0,2}' },
  {
    name: 'azure-client-secret',
    hints: ['Q~'],
    source: '(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])',
  },
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com/'],
    source: `hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>${base64}{20,})`,
  },
  {
    name: 'discord-webhook',
    hints: ['/api/webhooks/'],
    source: `/api/webhooks/[0-9]{5,25}/(?<secret>${word}{40,})`,
  },
  { name: 'discord-token', hints: ['.'], source: `${start}[MNO]${word}{22,28}\\.${word}{6}\\.${word}{27,}` },
  { name: 'telegram-token', hints: [':A'], source: `(?<![0-9])[0-9]{5,16}:A${word}{34}(?![A-Za-z0-9_-])` },
  { name: 'twilio-key', hints: ['SK'], source: `${start}SK[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'databricks-token', hints: ['dapi'], source: `${start}dapi[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'sendgrid-key', hints: ['SG.'], source: `${start}SG\\.${word}{16,64}\\.${word}{16,128}` },
  { name: 'mailgun-key', hints: ['key-'], source: `${start}key-[0-9a-f]{32}(?![A-Za-z0-9])` },
  { name: 'mailchimp-key', hints: ['-us'], source: `${start}[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])` },
  { name: 'square-token', hints: ['EAAA'], source: `${start}EAAA${word}{56,66}(?![A-Za-z0-9+/=_-])` },
  {
    name: 'terraform-token',
    hints: ['.atlasv1.'],
    source: `${start}[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}`,
  },
  {
    name: 'json-web-token',
    hints: ['eyJ'],
    source: `${start}eyJ${word}{10,4096}\\.eyJ${word}{10,8192}\\.${word}{10,}`,
  },
  {
    name: 'bearer-token',
    hints: ['earer '],
    source: '[Bb]earer (?<secret>(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9._~+/=-]{20,})',
  },
  {
    name: 'authorization',
    hints: ['uthorization', 'UTHORIZATION'],
    source:
      'authorization\\\\{0,2}["\']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["\']?(?:[A-Za-z]{3,20} {1,3})?(?<secret>[^\\s"\'\\\\<>{}$,[\\]()]{8,4096})',
    flags: 'i',
    // A plain word has no inner capital or digit.
    accepts: ({ groups }) => /[0-9+/=]|[a-z][A-Z]/.test(groups?.['secret'] ?? ''),
  },
  {
    name: 'cookie',
    hints: ['ookie', 'OOKIE'],
    source:
      'cookie\\\\{0,2}["\']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["\']?(?<secret>[A-Za-z0-9_.-]{1,64}=[^\\r\\n"\'\\\\]{8,8192})',
    flags: 'i',
    accepts: ({ groups }) => /=(?=[^;]*[0-9])[^;\s$<{(]{12,}/.test(groups?.['secret'] ?? ''),
  },
  {
    name: 'url-password',
    hints: ['://'],
    source: '(?<=[a-z][a-z0-9+.-]{1,20}://[^\\s:/@]{0,64}:)[^\\s:/@]{3,200}(?=@)',
  },
  {
    name: 'netrc-password',
    hints: ['password'],
    source:
      '(?:machine\\s{1,8}\\S{1,128}|default)\\s{1,8}(?:login\\s{1,8}\\S{1,128}\\s{1,8})?password\\s{1,8}(?<secret>(?!\\[masked:)[^\\s"\'\\\\]{3,256})',
  },
  {
    name: 'curl-password',
    hints: ['curl'],
    source:
      'curl\\b[^\\n]{0,400}?\\s(?:-[uU]|--user|--proxy-user)[ =]?\\\\{0,2}["\']?[^\\s"\':$\\\\]{1,64}:(?<secret>[^\\s"\'$\\\\[]{3,200})',
  },
  {
    name: 'basic-credentials',
    hints: ['auth'],
    source: `["'_]auth\\\\{0,2}["']?[ \\t]{0,3}[:=][ \\t]{0,3}\\\\{0,2}["']?(?<secret>${base64}{11,4096}={0,2})(?![\\w.(-])`,
    accepts: ({ groups }) => /[0-9=]|[a-z][A-Z]/.test(groups?.['secret'] ?? ''),
  },
  namedValue,
]

/** The start of a key before a cut mark, too short for its own shape. */
const beginningOfKey: SecretShape = {
  name: 'cut-key',
  hints: ['…', 'left out ...]'],
  source: `${start}(?:${prefixed
    .flatMap(({ hints }) => hints)
    .map(literally)
    .join(
      '|',
    )})(?=[A-Za-z_-]{0,300}[0-9])${word}{4,}(?= ?…|\\n\\[[.…]{1,3} [0-9,]{1,20} (?:bytes|characters) left out)`,
}

export const secretShapes: readonly SecretShape[] = [
  ...privateKeys,
  ...prefixed,
  ...otherShapes,
  beginningOfKey,
]

/** How far around a cut a known shape is searched. */
export const furthestLook = 8192

/**
 * Moves a cut so that no part of a known key remains, because a part cannot be recognized later.
 * @param at the intended cut
 * @param kept the side that is kept; the full key ends up on the other side
 */
export function cutBesideSecrets(text: string, at: number, kept: 'before' | 'behind'): number {
  const from = Math.max(0, at - furthestLook)
  const spans = spansIn(text.slice(from, at + furthestLook))
  let cut = at - from
  for (let across = spanAcross(spans, cut); across !== undefined; across = spanAcross(spans, cut))
    cut = kept === 'before' ? across.start : across.end
  return from + cut
}

function spanAcross(spans: readonly SecretPart[], cut: number): SecretPart | undefined {
  return spans.find(({ start, end }) => start < cut && cut < end)
}

function spansIn(text: string): readonly SecretPart[] {
  return secretShapes.flatMap((shape) => secretsOf(shape, text, () => patternOf(shape)))
}
