type SectionManifest = 'pyproject.toml' | 'setup.cfg' | 'Cargo.toml'

interface Rules {
  readonly product: RegExp
  /** A line that decides how tests run or what is installed; if it changed, its section is a check. */
  readonly decides: RegExp
}

const rules: Readonly<Record<SectionManifest, Rules>> = {
  'pyproject.toml': {
    product:
      /^(?:|project|project\.(?!entry-points).+|build-system|dependency-groups|tool\.poetry|tool\.poetry\.(?:(?:dev-)?dependencies|group\..+|extras|scripts|urls|build)|tool\.(?:setuptools|setuptools_scm|hatch\.(?:build|version|metadata)|flit|pdm\.(?:build|version)|maturin|scikit-build)(?:\..+)?)$/u,
    decides:
      /entry-points|pytest11|[@=]\s{0,9}["']?(?:file|git|https?)\b|\b(?:path|git|url|backend-path)\s{0,9}=|plugins/u,
  },
  'setup.cfg': {
    product:
      /^(?:|metadata|options|options\..+|bdist_\w+|sdist|build(?:_\w+)?|egg_info|install|upload|wheel)$/u,
    decides: /pytest|nose|unittest|coverage|hypothesis|@\s{0,9}(?:file|git|https?)\b|\btest_suite\b/u,
  },
  'Cargo.toml': {
    product:
      /^(?:|package|package\.(?:metadata\.docs\.rs|include)|lib|bin|example|features|badges|workspace|workspace\.(?:package|(?:dev-|build-)?dependencies(?:\..+)?)|(?:target\..+\.)?(?:dev-|build-)?dependencies(?:\..+)?)$/u,
    decides:
      /\b(?:path|git|registry|package|test|doctest|bench|harness|autotests|autobenches|default-run|proc-macro)\s{0,9}=/u,
  },
}

export function mergeSections(before: string, after: string, manifest: SectionManifest): string {
  const { product, decides } = rules[manifest]
  const isToml = manifest !== 'setup.cfg'
  const [earlier, now] = [sectionsIn(before, isToml), sectionsIn(after, isToml)]
  const isProduct = ({ name, id }: Section): boolean =>
    product.test(name) &&
    !changedLines(earlier.get(id)?.text ?? '', now.get(id)?.text ?? '').some(
      (line) => decides.test(plainKeys(line)) || (name === '' && line.includes('=')),
    )
  const kept = [...now.values()].map((section) =>
    isProduct(section) ? section.text : (earlier.get(section.id)?.text ?? ''),
  )
  const gone = [...earlier.values()].filter((section) => !now.has(section.id) && !isProduct(section))
  return [...kept, ...gone.map(({ text }) => text)].reduce(behind, '')
}

function behind(text: string, section: string): string {
  return text === '' || section === '' || text.endsWith('\n') ? text + section : `${text}\n${section}`
}

interface Section {
  readonly name: string
  /** Name and occurrence number. */
  readonly id: string
  readonly text: string
}

function sectionsIn(text: string, isToml: boolean): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>()
  const count = new Map<string, number>()
  let [name, lines]: [string, string[]] = ['', []]
  const close = (): void => {
    const number = count.get(name) ?? 0
    count.set(name, number + 1)
    const id = `${name}#${number}`
    sections.set(id, { name, id, text: lines.join('') })
  }
  const state: TomlState = { depth: 0, ending: undefined }
  for (const line of text.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    const header = state.depth === 0 && state.ending === undefined ? headerIn(line, isToml) : undefined
    if (header !== undefined) {
      close()
      ;[name, lines] = [header, []]
    } else if (isToml) follow(state, line)
    lines.push(line)
  }
  close()
  return sections
}

function headerIn(line: string, isToml: boolean): string | undefined {
  const found = isToml ? /^[ \t]*\[{1,2}([^[\]]+)\]{1,2}[ \t]*(?:#.*)?\r?\n?$/u : /^\[([^\]]+)\]/u
  const name = found.exec(line)?.[1]
  return name === undefined ? undefined : plainKeys(name).replaceAll(/["'\s]/gu, '')
}

/** Normalizes like a parser of the format: unquoted keys, decoded escapes, single blanks. */
function plainKeys(line: string): string {
  return line
    .replaceAll(
      /\\u([0-9a-f]{4})|\\U000([0-9a-f]{5})|\\x([0-9a-f]{2})/giu,
      (whole, ...numbers: unknown[]) => {
        const number = numbers.slice(0, 3).find((found) => typeof found === 'string')
        const code = Number.parseInt(String(number), 16)
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
      },
    )
    .replaceAll(/(["'])([\w-]+)\1(?=\s*[.=])/gu, '$2')
    .replaceAll(/\s+/gu, ' ')
}

interface TomlState {
  depth: number
  ending: keyof typeof endings | undefined
}

/** An unclosed string ends with its line. */
const tokens = /"""|'''|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|#|[[\]{}]/gu
/** Quotes before the closing three belong to the text; literal strings have no escapes. */
const endings = { '"""': /\\[^]|"{3,5}/gu, "'''": /'{3,5}/gu } as const

function follow(state: TomlState, line: string): void {
  let index = 0
  while (index < line.length) {
    if (state.ending !== undefined) {
      const end = endOfText(line, index, state.ending)
      if (end === undefined) return
      index = end
      state.ending = undefined
    }
    tokens.lastIndex = index
    const token = tokens.exec(line)?.[0]
    if (token === undefined || token === '#') return
    index = tokens.lastIndex
    if (token === '"""' || token === "'''") state.ending = token
    else if (token === '[' || token === '{') state.depth += 1
    else if (token === ']' || token === '}') state.depth = Math.max(0, state.depth - 1)
  }
}

function endOfText(line: string, start: number, ending: keyof typeof endings): number | undefined {
  const pattern = endings[ending]
  pattern.lastIndex = start
  let sign = pattern.exec(line)
  while (sign?.[0].startsWith('\\') === true) sign = pattern.exec(line)
  return sign === null ? undefined : sign.index + sign[0].length
}

function changedLines(before: string, after: string): readonly string[] {
  const [earlier, now] = [before.split('\n'), after.split('\n')]
  const [had, has] = [new Set(earlier), new Set(now)]
  return [...earlier.filter((line) => !has.has(line)), ...now.filter((line) => !had.has(line))]
}
