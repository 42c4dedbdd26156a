/**
 * The voice of comments, messages, names and pages: expressions that no native speaker would write. The list of places that still
 * hold one may only shrink: `node test/architecture/list-prose.ts [PATH…]` prints them, `--write` lowers the numbers of the list.
 */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { isSource, nodesOf, type Gate, type Problem, type Project } from './project.ts'

/** C: a comment. S: a text of three or more words in the code. D: a page in Markdown, outside code. */
type Kind = 'C' | 'S' | 'D'

interface Phrase {
  readonly id: string
  readonly pattern: RegExp
  readonly kinds: string
}

const phrases: readonly Phrase[] = [
  ['whoever', /\b[Ww]h(?:o|om|ich|ere)ever\b/u, 'CSD'],
  ['nobody', /\b(?:[Ss]ome|[Nn]o|[Aa]ny)body\b/u, 'CSD'],
  [
    'is-told',
    /\b(?:is|are|was|were|be|been|being) (?:(?:never|not|only|then|also) )?(?:told|said)\b(?! to\b)/u,
    'CSD',
  ],
  ['goes-on', /\bgo(?:es|ing|ne)? on\b/u, 'CSD'],
  ['mend', /\b[Mm]end(?:s|ed|ing)?\b/u, 'CSD'],
  ['is-none', /(?<!\bthere )\b(?:is|are|was|were) none\b(?! of)/u, 'CSD'],
  [
    'is-no-x',
    /\b(?:it|that|this|which|who|one|what) (?:is|are|was|were) no (?!longer|more|one|matter|way|accident)[a-z]+/u,
    'CSD',
  ],
  ['so-many', /\b[Ss]o (?:many|much|often|long)\b(?! (?:as|that))/u, 'CSD'],
  ['by-itself', /\bby (?:it|them|him)sel(?:f|ves)\b/u, 'CSD'],
  ['stands', /\b[Ss]tand(?:s|ing)?\b(?! (?:for|still|out|by|alone)\b)/u, 'CSD'],
  ['undefined:', /(?:^|[.;] )(?:Undefined|Null|Absent|False|True)(?: (?:where|for|if)\b[^:.]*)?: /u, 'C'],
  [
    'of-a',
    /(?:^|[.;:] )Of (?:a|an|the|all|what|one|its?|this|these|those|each|every|such|two|several|ours|them|no)\b/u,
    'C',
  ],
  ['what-doc', /^(?:What|Who|Whom|Whose)\b/u, 'C'],
  ['those-doc', /^(?:Those|That|Another one|None|Nothing|The one|As it|As they)\b/u, 'C'],
  [
    'drive',
    /\b(?:[Tt]he|[Aa]n?|[Ii]ts|[Tt]his|[Oo]ne|[Nn]o|of|by|[Oo]ther|[Ee]very|[Ee]ach|own|without|through) drives?\b|\b[Dd]rive's\b/u,
    'CSD',
  ],
  [
    'house',
    /\b[Hh]ouses?\b|\b[Dd]oors?\b|\b(?:[Tt]his|[Aa]|[Tt]he|[Ee]ach|[Ee]very|[Oo]ne|pure|own|[Oo]nly) rooms?\b|\brooms\b/u,
    'CSD',
  ],
  ['lay', /\b(?:lays?|laid)\b(?! out)/u, 'CSD'],
  ['of-which', /\bof wh(?:ich|om)\b/u, 'CSD'],
  ['anew', /\b(?:anew|in vain|meanwhile)\b/u, 'CSD'],
  [
    'check-asked',
    /\b(?:checks?|verifiers?|hooks?|judges?|gate|rules?|tools?|models?|drives?|it|they|files?|one|tree|git|store) (?:is|are|was|were|can be|cannot be) (?:not )?asked\b(?! (?:to|for|which|what|about|how)\b)/u,
    'CSD',
  ],
  [
    'where-if',
    /\bwhere (?:it|they|that|there|nothing|no|none|one|a|an|the|its|their|this)\b[^.,;:]{0,40}\b(?:is|are|has|have|was|were|does|do|can|cannot|may|must|had)\b/u,
    'CS',
  ],
  ['known-of', /\b(?:knows?|known) (?:of|no|nothing)\b/u, 'CSD'],
  ['beside', /\b[Bb]eside\b/u, 'CSD'],
  ['all-the-same', /\ball the same\b/u, 'CSD'],
  [
    'private',
    /\b(?:purse|kin|kindred|[Aa]uthority|(?:delivered|independent) trees?|(?:check|product) sides?|hosted sessions?)\b/u,
    'CSD',
  ],
].map(([id, pattern, kinds]) => ({ id, pattern, kinds }) as Phrase)

type NameKind = 'function' | 'value' | 'type'

const names: readonly (readonly [id: string, pattern: RegExp, kind: NameKind | 'any'])[] = [
  [
    'of-function',
    /^#?[a-z]\w*(?<!^(?:is|has)?(?:[oO]ne|[aA]ny|[aA]ll|[nN]one|[pP]art|[iI]ndex|[sS]ize|[lL]ist))Of$/u,
    'function',
  ],
  ['is-of', /^is(?:Of|No)[A-Z]/u, 'any'],
  ['words-text', /[a-z]Words$/u, 'function'],
  [
    'participle',
    /^(?:asked|said|told|known|given|named|meant|made|taken|written|shown|kept|gone|begun|laid|heard|learnt|beside|around|behind|places?)$/u,
    'value',
  ],
  ['word', /^words?$/u, 'value'],
  [
    'type-noun',
    /^(?:Asked|Given|Found|Kept|Known|Meant|Taken|Told|Begun|Before|Beside|Place|World|Words?|Way|Deed|Mood|Purse|Desk|Bell|Face|Site|Grounds?|Worth|Merit|Trouble|Look|Door|Room|Conduct|Occasion)$/u,
    'type',
  ],
  ['drive-name', /[dD]rive(?!r|n\b)/u, 'any'],
]

/** Readers of shell speak of words, as POSIX does. */
const shellFolders = ['packages/engine/src/analysis/shell/', 'packages/engine/src/policy/gate/']

export interface ProseHit {
  readonly where: string
  readonly line: number
  readonly id: string
  readonly text: string
}

/** Every hit in the sources and pages of the tree, also those that the list allows. */
export function listProseHits(project: Project): readonly ProseHit[] {
  return [...project.files.keys()].toSorted().flatMap((path) => {
    if (isSource(path))
      return [...hitsInCode(project.treeOf(path), path), ...hitsInNames(project.treeOf(path), path)]
    return isPage(path) ? hitsInPage(project.files.get(path) ?? '', path) : []
  })
}

function isPage(path: string): boolean {
  const isGenerated = /^docs\/(?:measured|decisions)\/|^docs\/reference\/(?:api|configuration)\.md$/.test(
    path,
  )
  return (
    /^(?:docs\/.*|[^/]+|packages\/[^/]+\/README)\.md$/.test(path) && !isGenerated && path !== 'CHANGELOG.md'
  )
}

function hitsInText(text: string, kind: Kind): readonly Phrase[] {
  return phrases.filter(({ kinds, pattern }) => kinds.includes(kind) && pattern.test(text))
}

function hitsInCode(tree: ts.SourceFile, where: string): readonly ProseHit[] {
  const hits: ProseHit[] = []
  const note = (position: number, kind: Kind, text: string) => {
    const line = tree.getLineAndCharacterOfPosition(position).line + 1
    for (const { id } of hitsInText(text, kind)) hits.push({ where, line, id, text })
  }
  const seen = new Set<number>()
  for (const node of nodesOf(tree)) {
    for (const { pos, end } of ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue
      seen.add(pos)
      for (const text of sentencesOf(tree.text.slice(pos, end))) note(pos, 'C', text)
    }
    const text = messageText(node)
    if (text !== undefined && text.trim().split(/\s+/u).length >= 3) note(node.getStart(tree), 'S', text)
  }
  return hits
}

/** The description of a comment and each of its tags, without stars. */
function sentencesOf(comment: string): readonly string[] {
  const text = comment
    .replace(/^\/\*+|\*+\/$/gu, '')
    .replace(/^\s*(?:\*|\/\/)?\s?/gmu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return text.split(/ (?=@\w)/u)
}

/** The text of a string or of a template, with `…` for what is put in. */
function messageText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
    return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
}

function hitsInNames(tree: ts.SourceFile, where: string): readonly ProseHit[] {
  const isShell = shellFolders.some((folder) => where.startsWith(folder))
  return nodesOf(tree).flatMap((node): readonly ProseHit[] => {
    const kind = kindOfName(node)
    if (kind === undefined || !ts.isIdentifier(node)) return []
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
    return names
      .filter(([id, pattern, wanted]) => {
        const isShellTerm = isShell && (id === 'word' || id === 'words-text')
        return !isShellTerm && (wanted === 'any' || wanted === kind) && pattern.test(node.text)
      })
      .map(([id]) => ({ where, line, id, text: node.text }))
  })
}

/** What a name that is declared here names; undefined for a use of it. */
function kindOfName(node: ts.Node): NameKind | undefined {
  if (!ts.isIdentifier(node)) return undefined
  const { parent } = node
  if (ts.isBindingElement(parent)) return parent.name === node ? 'value' : undefined
  const declares =
    ts.isFunctionDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isClassDeclaration(parent)
  if (!declares || parent.name !== node) return undefined
  if (ts.isVariableDeclaration(parent)) {
    const value = parent.initializer
    return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
      ? 'function'
      : 'value'
  }
  if (ts.isParameter(parent)) return 'value'
  return ts.isFunctionDeclaration(parent) || ts.isMethodDeclaration(parent) ? 'function' : 'type'
}

function hitsInPage(page: string, where: string): readonly ProseHit[] {
  const withoutCode = page.replace(/^```[\s\S]*?^```$/gmu, (block) => block.replace(/[^\n]/gu, ''))
  return withoutCode.split('\n').flatMap((line, index) => {
    const text = line.replace(/`[^`]*`/gu, 'x')
    return hitsInText(text, 'D').map(({ id }) => ({ where, line: index + 1, id, text }))
  })
}

/** Path → hits that the file may still have. */
export function readAllowedHits(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(new URL('./prose-allowed.json', import.meta.url), 'utf8')) as Record<
    string,
    number
  >
}

/** A file may not have more hits than the list allows; one that is not in the list may have none. */
export const prose: Gate<'prose'> = {
  name: 'prose',
  find: (project) => {
    const allowed = readAllowedHits()
    const byFile = Map.groupBy(listProseHits(project), ({ where }) => where)
    return [...byFile].flatMap(([where, hits]): readonly Problem[] =>
      hits.length <= (allowed[where] ?? 0)
        ? []
        : hits.map(({ line, id, text }) => ({ where, line, message: `${id}: ${text.slice(0, 120)}` })),
    )
  },
}
