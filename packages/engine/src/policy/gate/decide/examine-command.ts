import type { RuleMatch } from '@donecheck/core/internal/events'
import {
  type FoundCommand,
  type FoundWord,
  onlyReads,
  programName,
  takesData,
} from '../../../analysis/shell/index.ts'
import { given } from '../../../base/index.ts'
import { isSpared } from '../built-in-rules/exemptions.ts'
import { type Folders, isWithin } from '../built-in-rules/file-location.ts'
import { type BuiltInMatch, matchBuiltInRules } from '../built-in-rules/match-built-in-rules.ts'
import { type CommandLocation, type Danger } from '../built-in-rules/file-location.ts'
import { forcedRemoval } from '../built-in-rules/rules.ts'
import type { GateContext } from '../context.ts'
import {
  ask,
  asksForUnknown,
  forbid,
  nameOfPolicy,
  type Objection,
  questionByRule,
  rejectionByRule,
} from '../objections.ts'
import { privateRead, type Reading, readsPrivate, readsUnknown, unknownRead } from '../paths/private-reads.ts'
import { hasOwnCommands } from '../rules/propose-amendment.ts'
import { isOfPerson, type PathRule, type PrefixRule, type RuleSource } from '../rules/rule.ts'
import type { PrefixMatch } from '../rules/match-prefix-rules.ts'

export interface CommandExamination {
  readonly found: FoundCommand
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
  readonly isAllowedByRule: boolean
  readonly isHarmless: boolean
  /** A run-time word could make a rule match. */
  readonly isOpen: boolean
}

interface CommandContext {
  readonly script: string
  readonly name: string
  readonly index: number
  readonly folders: Folders
  /** Readable without a sandbox; null if hidden. */
  readonly unhidden: Pick<Reading, 'isNamedInLine' | 'sources'> | null
}

export function examineCommand(
  found: FoundCommand,
  { script, name, index, folders, unhidden }: CommandContext,
  around: GateContext,
): CommandExamination {
  const { policy, place } = around
  const texts = found.words.map(({ text }) => text)
  const ruled = policy.matchCommand(texts, place.folder)
  const floor = builtInMatches(found, place, folders.all)
  const isKnown = !texts.includes(null)
  const isTakenOut = isKnown && ruled.some(exemptsFromBuiltIn)
  const isDisposable = canBeLost(found, folders, around)
  const heeded = floor.filter(
    ({ rule }) => rule.severity === 'forbidden' || !(isTakenOut || (rule === forcedRemoval && isDisposable)),
  )
  const isReading = onlyReads(found) && !isForeignGit(found, folders, around)
  const reading = { folders, place, takesWordsFromInput: takesWordsFromInput(found) }
  const read = unhidden === null || isTakenOut ? [] : readOf(found, { ...unhidden, ...reading }, isReading)
  const all: readonly BuiltInMatch[] = [...heeded, ...read]
  return {
    found,
    matches: [
      ...ruled.map((match) => matchOfRule(match, found)),
      ...all.map((match) => builtInMatchOf(match, found)),
    ],
    objections: [
      ...objectionsOfRules(ruled, name),
      ...objectionToCode(ruleNamedInCode(found, script, policy.strict), name),
      ...objectionsToStarted(found, name, around),
      ...all.map(({ rule }) => ofBuiltInRules(rule, name)),
    ].map((objection) => (objection.decision === 'prompt' ? { ...objection, command: index } : objection)),
    isAllowedByRule: isKnown && ruled.some(({ rule }) => rule.decision === 'allow'),
    isHarmless: read.length === 0 && isReading,
    isOpen: isOpen(found, around),
  }
}

function readOf(found: FoundCommand, reading: Reading, isReading: boolean): readonly BuiltInMatch[] {
  const wordIndexes = readsPrivate(found, reading)
  if (wordIndexes !== undefined) return [{ rule: privateRead, wordIndexes }]
  return isReading && readsUnknown(found, reading) ? [{ rule: unknownRead, wordIndexes: [0] }] : []
}

/** Settings of a foreign repository name programs that git runs. */
function isForeignGit(found: FoundCommand, { all, isUnknown }: Folders, { place }: GateContext): boolean {
  if (!/(?:^|\/)git$/u.test(found.words[0]?.text ?? '')) return false
  return isUnknown || all.some((folder) => !isWithin(folder, place.workFolder))
}

/** Without a sandbox every removal asks. */
function canBeLost(
  found: FoundCommand,
  { all, isUnknown }: Folders,
  { isConfined, place, canBeMadeAgain }: GateContext,
): boolean {
  if (!isConfined || isUnknown || takesWordsFromInput(found)) return false
  return isSpared(found, { folders: all, place, canBeMadeAgain })
}

function builtInMatches(
  found: FoundCommand,
  place: CommandLocation,
  folders: readonly string[],
): readonly BuiltInMatch[] {
  const all = folders.flatMap((folder) => matchBuiltInRules(found, { ...place, folder }).matches)
  return [...new Map(all.map((match) => [match.rule.name, match])).values()]
}

function isOpen(found: FoundCommand, { policy, place }: GateContext): boolean {
  const words = takesWordsFromInput(found) ? [...found.words, anyWord] : found.words
  if (words.every(({ text }) => text !== null)) return false
  const { possible } = matchBuiltInRules({ ...found, words }, place)
  return possible.length > 0 || policy.mayMatch(words)
}

const anyWord: FoundWord = { text: null, written: '$', span: null }

/** Arguments are read from input, as by `xargs`. */
export function takesWordsFromInput({ through }: FoundCommand): boolean {
  return through.some((program) => /^(?:xargs|find)\b/u.test(program))
}

/** The agent could have written the project's rules. */
function exemptsFromBuiltIn({ rule }: PrefixMatch): boolean {
  const { overridesBuiltInRules, decision, source } = rule
  return overridesBuiltInRules === true && decision === 'allow' && isOfPerson(source)
}

function objectionsOfRules(matches: readonly PrefixMatch[], name: string): readonly Objection[] {
  const forbidding = longest(matches.filter(({ rule }) => rule.decision === 'forbidden'))
  if (forbidding !== undefined) {
    const { rule, matchedPrefix } = forbidding
    return [forbid('policy_forbidden', rejectionByRule(name, matchedPrefix, rule.justification))]
  }
  const asking = longest(matches.filter(({ rule }) => rule.decision === 'prompt'))
  if (asking === undefined) return []
  return [ask('rules', 'approval_required', questionByRule(name, asking.rule.justification))]
}

function objectionToCode(rule: PrefixRule | undefined, name: string): readonly Objection[] {
  if (rule === undefined) return []
  const words = rule.pattern.map((token) => token.join('|')).join(' ')
  const why = `its text names \`${words}\`, and a rule ${rule.decision === 'forbidden' ? 'forbids' : 'asks for'} that`
  return [ask('rules', 'approval_required', questionByRule(name, why))]
}

/** Built-in rules apply to these after an unknown program; other names are usually its own words. */
const oftenStarted = /^(?:rm|git|dd|shred|mkfs.*)$/u
const runsElsewhere = /^(?:docker|podman|nerdctl|kubectl)(?:-compose)?$/u

/** `faketime x git push`: an unknown program may start the program among its words. */
function objectionsToStarted(
  found: FoundCommand,
  name: string,
  { policy, place }: GateContext,
): readonly Objection[] {
  const program = programName(found.words[0]?.text ?? '')
  const isElsewhere =
    runsElsewhere.test(program) && found.words.some(({ text }) => /^(?:exec|run)$/u.test(text ?? ''))
  const isKnown = program === '' || found.isTransparent || onlyReads(found) || hasOwnCommands(program)
  if (isKnown && !isElsewhere) return []
  for (const words of startedWords(found, takesData(found) && !isElsewhere)) {
    const texts = words.map(({ text }) => text)
    const isStrict = policy.matchCommand(texts, place.folder).some(({ rule }) => rule.decision !== 'allow')
    const isGrave =
      oftenStarted.test(programName(words[0]?.text ?? '')) &&
      matchBuiltInRules({ ...found, words }, place).matches.length > 0
    const shown = words.map(({ written }) => written).join(' ')
    const why = `it may start \`${shown.slice(0, 80)}\``
    if (isStrict || isGrave)
      return [ask('rules', isGrave ? 'dangerous_command' : 'approval_required', questionByRule(name, why))]
  }
  return []
}

/** Limits the work per command. */
const maxStartedWords = 32

/** Words of each text, such as `--rsh='ssh -v'`; from each word on unless `onlyTexts`. */
function startedWords({ words }: FoundCommand, onlyTexts: boolean): readonly (readonly FoundWord[])[] {
  return words.slice(1).flatMap((word, index) => {
    if (word.text === null) return []
    const texts = word.text
      .replace(/^\S*[=:!]/u, '')
      .trim()
      .split(/\s+/u)
    const inText = texts.map((text) => ({ text, written: text, span: null }))
    return [
      ...(onlyTexts ? [] : [words.slice(index + 1, index + 1 + maxStartedWords)]),
      ...(inText.length > 1 ? [inText] : []),
    ]
  })
}

/** The rule to quote: with a justification first, then the longest prefix. */
function longest(matches: readonly PrefixMatch[]): PrefixMatch | undefined {
  const justified = matches.filter(({ rule }) => rule.justification !== undefined)
  const candidates = justified.length > 0 ? justified : matches
  return candidates.toSorted((one, other) => other.matchedPrefix.length - one.matchedPrefix.length)[0]
}

export function ofBuiltInRules(danger: Danger, name: string): Objection {
  const why = `${danger.name}: ${danger.justification}`
  return danger.severity === 'forbidden'
    ? forbid('dangerous_command', rejectionByRule(name, [], why))
    : ask('rules', 'dangerous_command', questionByRule(name, why))
}

/** Why a command without objections is asked for. */
export function objectionToUnknown(
  { found, objections, isAllowedByRule, isHarmless }: CommandExamination,
  isAllowHeeded: boolean,
  { name, index }: { readonly name: string; readonly index: number },
  { approval, isConfined, leavesUnknown = false }: GateContext,
): readonly Objection[] {
  const isFine = isHarmless || found.isTransparent || (isAllowedByRule && isAllowHeeded)
  if (isFine || objections.length > 0 || approval === 'never') return []
  if (!asksForUnknown(approval) && (isConfined || leavesUnknown)) return []
  const why = asksForUnknown(approval)
    ? `approval is "${nameOfPolicy(approval)}", and no rule allows it`
    : 'there is no sandbox, and no rule allows it'
  const reason = `\`${name}\` requires approval: ${why}`
  return [
    { decision: 'prompt', question: 'sandbox_approval', label: 'approval_required', reason, command: index },
  ]
}

/** Programs that run text from arguments or input. */
const runsTexts =
  /^(?:node|nodejs|deno|bun|python[\d.]*|pypy[\d.]*|perl|ruby|php|lua|tclsh|Rscript|osascript|[gmn]?awk|g?sed|g?make|ninja|npm|pnpm|yarn|vim?|nvim|ex|ed|emacs|gdb|sqlite3|tmux|screen|expect|jshell|ghci)$/

/** Reads its program from input. */
function readsInput({ words }: FoundCommand): boolean {
  return words.length === 1 || words.slice(1).some(({ text }) => text === '-' || text === '/dev/stdin')
}

function ruleNamedInCode(
  found: FoundCommand,
  script: string,
  rules: readonly PrefixRule[],
): PrefixRule | undefined {
  const [program] = found.words
  if (!runsTexts.test(programName(program?.text ?? ''))) return undefined
  const texts = found.words.slice(1).map(({ text, written }) => text ?? written)
  if (readsInput(found)) texts.push(script)
  return rules.find(({ pattern }) => {
    const named = namesAll(pattern)
    return texts.some((text) => named.test(text))
  })
}

const patterns = new WeakMap<PrefixRule['pattern'], RegExp>()

function namesAll(pattern: PrefixRule['pattern']): RegExp {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  const words = pattern.map(
    (token) => `(?:${token.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
  )
  const made = new RegExp(
    `(?:(?<![\\w-])|(?<=\\\\[nrt]))${words.join('(?![\\w-])[^]{1,40}?(?<![\\w-])')}(?![\\w-])`,
  )
  patterns.set(pattern, made)
  return made
}

function matchOfRule({ rule, wordIndexes }: PrefixMatch, command: FoundCommand): RuleMatch {
  return {
    rule: `prefix_rule ${patternText(rule)}`,
    decision: rule.decision,
    source: sourceText(rule.source),
    ...wordsAt(command, wordIndexes),
    ...given({ justification: rule.justification }),
  }
}

function builtInMatchOf({ rule, wordIndexes }: BuiltInMatch, command: FoundCommand): RuleMatch {
  return matchOfDanger(rule, wordsAt(command, wordIndexes))
}

export function matchOfDanger(
  { name, severity, justification }: Danger,
  { words, span }: Pick<RuleMatch, 'words' | 'span'>,
): RuleMatch {
  const decision = severity === 'forbidden' ? 'forbidden' : 'prompt'
  return { rule: `built-in: ${name}`, decision, source: 'built-in', words, span, justification }
}

export function matchOfPath(rule: PathRule, word: string, span: RuleMatch['span']): RuleMatch {
  return {
    rule: `path_rule ${rule.paths.join(' ')}`,
    decision: rule.decision,
    source: sourceText(rule.source),
    words: [word],
    span,
    ...given({ justification: rule.justification }),
  }
}

function patternText({ pattern }: Pick<PrefixRule, 'pattern'>): string {
  return pattern.map((token) => token.join('|')).join(' ')
}

/** Such as `user rules default.rules:12`. */
function sourceText({ layer, file, line }: RuleSource): string {
  if (layer === 'built-in') return 'built-in'
  if (file === undefined) return `${layer} rules`
  return `${layer} rules ${file}${line === undefined ? '' : `:${line}`}`
}

function wordsAt({ words }: FoundCommand, indexes: readonly number[]): Pick<RuleMatch, 'words' | 'span'> {
  const found = indexes.flatMap((index) => words[index] ?? [])
  const spans = found.flatMap(({ span }) => (span === null ? [] : [span]))
  const isLiteral = spans.length === found.length && spans.length > 0
  return {
    words: found.map(({ text, written }) => text ?? written),
    span: isLiteral
      ? [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))]
      : null,
  }
}
