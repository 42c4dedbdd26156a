/**
 * Keys whose shape gives them away. The shapes are facts of those who issue them, as gitleaks and secretlint hold them too; where
 * they bind a length to one value, we ask for less, because issuers have lengthened their keys before.
 * Each pattern is linear: no nested or overlapping repetition, bounded look-around.
 */
export interface SecretShape {
  readonly name: string
  /** A text without any of these has none of that shape: most texts need no look. */
  readonly hints: readonly string[]
  readonly source: string
  /** Set where each hint is how such a key begins. */
  readonly isPrefixed?: true
}

const escapeCode = String.fromCharCode(0x1b)

/**
 * A key begins where no letter of a longer word stands before it; that also keeps every pattern linear. The last letter of an
 * escape is no letter of a word: `\n` in JSON, `%3D` in an address, the `m` of a colour.
 */
const start = `(?:(?<![A-Za-z0-9_-])|(?<=\\\\[bfnrt]|\\\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|${escapeCode}\\[[0-9;]{0,12}m))`

const alphanumeric = '[A-Za-z0-9]'
const hexadecimal = '[a-f0-9]'
const word = '[A-Za-z0-9_-]'
const base64 = '[A-Za-z0-9+/]'

/** A name is set: `name = "`, `"name": "`, `name=>`. Letters stand for both cases. */
function assignmentPattern(name: string): string {
  const letters = name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
  return `(?<=${letters}\\\\?["']?\\s{0,3}(?:=>|:=|[=:])\\s{0,3}\\\\?["']?)`
}

function literally(beginning: string): string {
  return beginning.replaceAll('.', '\\.')
}

/**
 * One of some beginnings, then at least so many letters of an alphabet, and all that stands behind it without a gap: so no key that
 * is joined to another one is left over.
 */
function prefixedShape(name: string, hints: readonly string[], letter: string, atLeast: number): SecretShape {
  return {
    name,
    hints,
    isPrefixed: true,
    source: `${start}(?:${hints.map(literally).join('|')})${letter}{${atLeast},}${word}*`,
  }
}

const wholeShapes: readonly SecretShape[] = [
  {
    // Base64 lines, after headers such as `DEK-Info: …`; its end may have been cut off by an excerpt.
    name: 'private-key',
    hints: ['-----BEGIN '],
    source:
      '-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\\s{1,4}[A-Za-z-]{1,30}: [^\\n]{1,200}){0,4}[A-Za-z0-9+/=\\s\\\\]{20,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?',
  },
  {
    // The end of one whose beginning was cut off.
    name: 'private-key',
    hints: ['PRIVATE KEY'],
    source:
      '(?<![A-Za-z0-9+/=\\\\\\r\\n])[A-Za-z0-9+/=\\\\\\r\\n]{20,20000}-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----',
  },
  prefixedShape('anthropic-key', ['sk-ant-'], word, 20),
  // A digit tells a key from words joined by hyphens.
  { name: 'openai-key', hints: ['sk-'], source: `${start}sk-(?=[A-Za-z_-]{0,300}[0-9])${word}{20,}` },
  prefixedShape('groq-key', ['gsk_'], alphanumeric, 40),
  prefixedShape('xai-key', ['xai-'], alphanumeric, 40),
  prefixedShape('perplexity-key', ['pplx-'], alphanumeric, 40),
  prefixedShape('replicate-token', ['r8_'], alphanumeric, 37),
  prefixedShape('hub-token', ['hf_', 'api_org_'], alphanumeric, 30),
  prefixedShape('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], alphanumeric, 30),
  prefixedShape('github-token', ['github_pat_'], '[A-Za-z0-9_]', 30),
  prefixedShape(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'glagent-'],
    word,
    20,
  ),
  {
    name: 'aws-key-id',
    hints: ['AKIA', 'ASIA'],
    source: `${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  },
  {
    name: 'aws-secret-key',
    hints: ['ecret', 'ECRET'],
    source: `(?:${assignmentPattern('aws_secret_access_key')}|${assignmentPattern('aws_secret_key')}|${assignmentPattern('secretaccesskey')})${base64}{40}(?![A-Za-z0-9+/=])`,
  },
  {
    name: 'aws-session-token',
    hints: ['oken', 'OKEN'],
    source: `(?:${assignmentPattern('aws_session_token')}|${assignmentPattern('sessiontoken')})${base64}{80,}={0,2}`,
  },
  {
    name: 'azure-key',
    hints: ['AccountKey=', 'SharedAccessKey='],
    source: `(?<=(?:AccountKey|SharedAccessKey)=)${base64}{40,}={0,2}`,
  },
  { name: 'azure-signature', hints: ['sig='], source: `(?<=[?&;]sig=)[A-Za-z0-9+/%]{40,}={0,2}` },
  {
    name: 'azure-client-secret',
    hints: ['Q~'],
    source: '(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])',
  },
  prefixedShape('google-key', ['AIza'], word, 35),
  prefixedShape('google-token', ['ya29.', 'GOCSPX-'], word, 20),
  prefixedShape('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hexadecimal, 60),
  {
    name: 'slack-token',
    hints: ['xox', 'xapp-'],
    source: `${start}(?:xox[abeoprs][.-]|xapp-)(?=[A-Za-z.-]{0,300}[0-9])[A-Za-z0-9.-]{10,}`,
  },
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com/'],
    source: `(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)${base64}{20,}`,
  },
  {
    name: 'discord-webhook',
    hints: ['/api/webhooks/'],
    source: `(?<=/api/webhooks/[0-9]{5,25}/)${word}{40,}`,
  },
  {
    name: 'telegram-token',
    hints: [':A'],
    source: `(?<![0-9])[0-9]{5,16}:A${word}{34}(?![A-Za-z0-9_-])`,
  },
  { name: 'twilio-key', hints: ['SK'], source: `${start}SK${hexadecimal}{32}(?![A-Za-z0-9])` },
  {
    name: 'twilio-token',
    hints: ['wilio', 'WILIO'],
    source: `(?:${assignmentPattern('twilio_auth_token')}|${assignmentPattern('twilio_token')}|${assignmentPattern('twilioauthtoken')})${hexadecimal}{32}(?![A-Za-z0-9])`,
  },
  {
    name: 'sendgrid-key',
    hints: ['SG.'],
    source: `${start}SG\\.${word}{16,64}\\.${word}{16,128}`,
  },
  prefixedShape('pypi-token', ['pypi-AgE'], word, 40),
  { name: 'npm-token', hints: ['npm_'], source: `${start}npm_${alphanumeric}{36}(?![A-Za-z0-9])` },
  {
    name: 'npm-token',
    hints: ['_authToken'],
    source: `(?<=:_authToken\\s{0,3}=\\s{0,3})[A-Za-z0-9+/=._-]{16,}`,
  },
  prefixedShape('rubygems-key', ['rubygems_'], hexadecimal, 40),
  prefixedShape('docker-token', ['dckr_pat_', 'dckr_oat_'], word, 20),
  {
    name: 'stripe-key',
    hints: ['k_live_', 'k_test_'],
    source: `${start}[rs]k_(?:live|test)_${alphanumeric}{16,}`,
  },
  prefixedShape('stripe-webhook-secret', ['whsec_'], '[A-Za-z0-9+/]', 24),
  prefixedShape('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], alphanumeric, 32),
  prefixedShape('vault-token', ['hvs.', 'hvb.', 'hvr.'], word, 80),
  prefixedShape('grafana-token', ['glsa_', 'glc_eyJ'], base64, 32),
  prefixedShape('notion-token', ['ntn_'], alphanumeric, 40),
  prefixedShape('linear-key', ['lin_api_'], alphanumeric, 32),
  prefixedShape('figma-token', ['figd_'], word, 40),
  { name: 'databricks-token', hints: ['dapi'], source: `${start}dapi${hexadecimal}{32}(?![A-Za-z0-9])` },
  prefixedShape('tailscale-key', ['tskey-'], word, 24),
  prefixedShape('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], alphanumeric, 24),
  prefixedShape('cloudflare-token', ['cfk_', 'cfut_', 'cfat_'], alphanumeric, 40),
  prefixedShape('sentry-token', ['sntrys_', 'sntryu_'], '[A-Za-z0-9+/=_]', 40),
  prefixedShape('onepassword-token', ['ops_eyJ'], base64, 100),
  prefixedShape('age-key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]', 50),
  prefixedShape('atlassian-token', ['ATATT3'], '[A-Za-z0-9_=-]', 60),
  {
    name: 'json-web-token',
    hints: ['eyJ'],
    source: `${start}eyJ${word}{10,4096}\\.eyJ${word}{10,8192}\\.${word}{10,}`,
  },
  {
    name: 'bearer-token',
    hints: ['earer '],
    source: '(?<=[Bb]earer )(?=[A-Za-z._~+/=-]{0,300}[0-9])[A-Za-z0-9._~+/=-]{20,}',
  },
  {
    name: 'basic-credentials',
    hints: ['uthorization'],
    // A word of prose has no capital letter or digit inside of it.
    source: `(?<=[Aa]uthorization["']?: {0,2}["']?Basic )(?=[A-Za-z]?[a-z]{0,300}[A-Z0-9+/=])${base64}{8,}={0,2}`,
  },
  {
    name: 'url-password',
    hints: ['://'],
    source: '(?<=[a-z][a-z0-9+.-]{1,20}://[^\\s:/@]{0,64}:)[^\\s:/@]{3,200}(?=@)',
  },
]

/** The beginning of a key before the mark of a text that was shortened: too short for its own shape. */
const beginningOfKey: SecretShape = {
  name: 'cut-key',
  hints: ['…', 'left out ...]'],
  source: `${start}(?:sk-|${wholeShapes
    .flatMap(({ hints, isPrefixed }) => (isPrefixed === true ? hints : []))
    .map(literally)
    .join(
      '|',
    )})(?=[A-Za-z_-]{0,300}[0-9])${word}{4,}(?= ?…|\\n\\[[.…]{1,3} [0-9,]{1,20} (?:bytes|characters) left out)`,
}

export const secretShapes: readonly SecretShape[] = [...wholeShapes, beginningOfKey]
