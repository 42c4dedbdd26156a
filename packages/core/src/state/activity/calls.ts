import type { JsonValue, ToolEffect } from '../../events/index.ts'
import { canonicalJson } from '../../base/index.ts'
import { textHash, momentaryParts, lineSketch, maskVolatile } from './texts.ts'
import type { ToolTraits } from '../../events/settings/index.ts'

const commandKeys: readonly string[] = ['command', 'cmd', 'script', 'content', 'code']

function valueAt(args: JsonValue, key: string): JsonValue | undefined {
  return isObject(args) && Object.hasOwn(args, key) ? args[key] : undefined
}

export function textAt(args: JsonValue, key: string): string | undefined {
  const value = valueAt(args, key)
  return typeof value === 'string' ? value : undefined
}

function isObject(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type CallStatus = 'ran' | 'vetoed'

export interface CallFact {
  readonly sequence: number
  /** Equal for calls of one batch: the turn, or the reply in a turn with many (`batchOf`). */
  readonly turn: number
  readonly tool: string
  /** Equal for calls that mean the same: tool and arguments without volatile keys. */
  readonly call: string
  /** Equal for results that say the same; null (unknown) equals nothing. */
  readonly outcome: string | null
  /** A sketch of the result's lines; absent or empty if unknown. */
  readonly lines?: string
  /** Equal for failures that say the same, for any call; null if it did not fail or is unknown. */
  readonly failure: string | null
  readonly callStatus: CallStatus
  /** It waits, sleeps or polls. */
  readonly waits: boolean
  readonly noOp: boolean
  /** It takes time itself, so polling after it is not hasty. */
  readonly pauses?: true
  /** It changes nothing, according to its tool's effect or name. */
  readonly looks?: true
  readonly said?: AmountSaid
  /** It should change the work and did not fail. */
  readonly edits?: true
  /** Equal for failing calls that differ only in their paths. */
  readonly pattern?: string
  /** Declared read-only: an equal result is a repetition, whatever changed in between. */
  readonly readOnly?: true
}

export interface CallRecord extends CallFact {
  /** Earlier calls with this outcome without progress in between (`readOnly`: at all); 0 if new. */
  readonly repeat: number
  /** Consecutive equal or near-equal results before it. */
  readonly alike: number
  /** Earlier items of list work: calls of one pattern, each with its own paths. */
  readonly listed?: number
  /** The call before it waited, so it polls. */
  readonly afterWait?: true
  /** Calls of different generations ran on different work. */
  readonly generation: number
}

/** Names that common agents use. */
const editingTool =
  /^(?:(?:[Ee]dit|[Ww]rite|[Mm]ulti_?[Ee]dit|[Nn]otebook_?[Ee]dit|str_replace|[Aa]pply_?[Pp]atch)(?:$|_|[A-Z])|(?:[Cc]reate|[Aa]ppend|[Ii]nsert|[Rr]eplace|delete|rename|move)(?:$|_?(?:[Ff]ile|[Ll]ines?|[Tt]ext|in_file|to_file)))/
const viewing = /^(?:view|read|open|cat)$/
const pathKeys = ['path', 'file_path', 'filePath', 'filename', 'file', 'target_file', 'notebook_path']

/**
 * Files that an editing call lists; empty if the arguments cannot be parsed, such as a patch. Undefined if
 * the call is not known to edit. Command lines are not parsed.
 * @param effect as declared by the tool; undefined if unknown
 */
export function editedPaths(
  tool: string,
  args: JsonValue,
  effect: ToolEffect | undefined,
): readonly string[] | undefined {
  const isEditing = effect === 'write' || (effect !== 'read' && editingTool.test(tool))
  if (!isEditing || viewing.test(textAt(args, 'command') ?? '')) return undefined
  const named = pathKeys.map((key) => textAt(args, key)).find((value) => value !== undefined)
  return named === undefined ? [] : [named]
}

/** Longer arguments are contents, not list items. */
const maxArgumentsLength = 1000
const words = /[^\s"'`,;:=()<>|&\\]+/g
const ending = /[\w-]\.[a-z]\w{0,4}$/i
const missing =
  /\bno such file|\bthere is no (?:file|folder)\b|\bnot found\b|\bdoes(?: not|n't) exist|\bcannot (?:find|stat|open|access)\b|\bENOENT\b/i

/**
 * Equal for calls that differ only in paths (`lint a.ts`, `lint b.ts`); undefined without an existing path.
 */
export function listPattern(tool: string, args: JsonValue, result: string): string | undefined {
  const text = canonicalJson(args)
  if (text.length > maxArgumentsLength || missing.test(result.slice(0, maxArgumentsLength))) return undefined
  const pattern = text.replace(words, (word) => (isPath(word) ? '/' : word))
  return pattern === text ? undefined : textHash(`${tool} ${pattern}`)
}

function isPath(word: string): boolean {
  return word !== '/' && (word.includes('/') || ending.test(word))
}

/** Names that common agents use. */
const lookingTool =
  /^(?:read|view|open|cat|head|tail|list|ls|glob|find|grep|search|look|show|fetch|browse|web_?(?:search|fetch))(?:$|_|[A-Z])/

/** One simple read-only command. Pipes, redirects and substitutions never match. */
const lookingCommand =
  /^\s*(?:cd\s+[\w./~-]+\s*&&\s*)?(?:sed\s+-n\s+['"]?[\d,$]+p['"]?|view|cat|head|tail|grep|rg|ls|wc|pwd|git\s+(?:status|diff|log|show|blame))(?: [^;&|<>`$(){}\n]*)?$/
/** A longer command line is a program. */
const maxCommandLength = 500

/** Judged by the tool's effect or name, or by its command. */
export function looks(tool: string, effect: ToolEffect | undefined, args: JsonValue): boolean {
  const command = textAt(args, 'command') ?? ''
  const isLookingCommand = command.length <= maxCommandLength && lookingCommand.test(command)
  return effect === 'read' || lookingTool.test(tool) || isLookingCommand
}

/** Names that common agents use. */
const waitingTool =
  /^(?:poll|wait|sleep|continue_wait)(?:$|_)|^(?:bash|task)_?output$|(?:^|_)(?:get|check|command|process|job|task|run|build|deployment|pipeline)_?(?:status|state)$/i
const waitingCommand = /(?:^|[\s;&|(])(?:sleep|wait|timeout\s+\S+\s+tail\s+-[fF])(?:\s|$)/
/** Commands that show the state of a job, a server or a log, and are repeated for that. */
const askingCommand =
  /(?:^|[\s;&|(])(?:gh\s+(?:run|pr)\s+(?:view|watch|checks)|kubectl\s+(?:get|rollout)|docker\s+(?:ps|logs)|systemctl\s+status|squeue|curl\s[^|;&]{0,200}(?:health|status|ready)|tail\s[^|;&]{0,200}\.log)(?:\W|$)/
const pausingCommand = /(?:^|[\s;&|(.])sleep(?:\s+[\d.$]|\()/
const pausingTool = /^(?:wait|sleep|continue_wait)(?:$|_)/i
/** A call this long has let time pass. */
const pauseMs = 5000
const lookedThrough = 2000
const pollActions = ['poll', 'log', 'status', 'wait']

/** Whether the call waits or polls, so that repeating it is no loop by itself. */
export function waits(tool: string, args: JsonValue, traits: ToolTraits | undefined): boolean {
  if (traits?.poll !== undefined) return traits.poll
  if (waitingTool.test(tool)) return true
  const action = textAt(args, 'action')
  if (action !== undefined && pollActions.includes(action)) return true
  return someCommand(args, (command) => waitingCommand.test(command) || askingCommand.test(command))
}

/** @param durationMs absent if not measured */
export function pauses(tool: string, args: JsonValue, durationMs: number | undefined): boolean {
  if (durationMs !== undefined) return durationMs >= pauseMs
  return pausingTool.test(tool) || someCommand(args, (command) => pausingCommand.test(command))
}

function someCommand(args: JsonValue, test: (command: string) => boolean): boolean {
  return commandKeys.some((key) => {
    const value = textAt(args, key)
    return value !== undefined && test(value.slice(0, lookedThrough))
  })
}

/** Arguments that identify a call without affecting what it does. */
const volatileKeys =
  /^(?:attempt|attempts|try|retry|timestamp|ts|now|time|nonce|seed_id|(?:request|trace|span|call|correlation|idempotency|message|session|run|tool_?call)_?(?:id|key)|uuid)$/i

/** Timestamps in a command. Names with digits stay. */
const momentary = new RegExp([...momentaryParts, String.raw`\b\d{10,}\b`].join('|'), 'gi')
/** At the end of a text with single blanks. */
const momentComments = [' # #', ' ##']
/** Longer texts are contents and are compared as they are. */
const maxNormalisedLength = 4000

/** Equal for calls that mean the same; ignores key order, blanks, times, new ids and attempt counters. */
export function readCall(args: JsonValue): string {
  return textHash(canonicalJson(normaliseArguments(args)))
}

function normaliseArguments(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length <= maxNormalisedLength ? command(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(normaliseArguments)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      isMark(entry) && volatileKeys.test(key) ? [] : [[key, normaliseArguments(entry)]],
    ),
  )
}

/** An empty command or program and nothing else: no change of the work alters its result. */
export function asksNothing(args: JsonValue): boolean {
  if (typeof args !== 'object' || args === null || isList(args)) return false
  const entries = Object.entries(args)
  const isEmpty = ([key, value]: (typeof entries)[number]) =>
    commandKeys.includes(key) && typeof value === 'string' && value.trim() === ''
  return entries.length > 0 && entries.every(isEmpty)
}

function isMark(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 64)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function command(text: string): string {
  const masked = text.replace(momentary, '#')
  return withoutMomentComment(masked.replace(/\s+/g, ' ').trimEnd()).trim()
}

/** Removes a comment that holds only a timestamp. A pattern would take quadratic time on blanks. */
function withoutMomentComment(text: string): string {
  const comment = momentComments.find((ending) => text.endsWith(ending))
  return comment === undefined ? text : text.slice(0, -comment.length)
}

/** Longer results keep their volatile keys. */
const maxParsedLength = 256 * 1024
/** In a longer result only the first and the last line show whether it failed. */
const maxAnswerLength = 1000
/** Characters per line that are compared. */
const lookedThroughLine = 300

/** How the result of an edit starts; the written text follows. */
const madeWords =
  /^\W*(?:the file\s.{1,300}?\s(?:has|was)\b|(?:file|patch|changes?)\s(?:created|written|applied|saved)|(?:successfully|edited|updated|created|wrote|written|saved|applied|replaced)\b)/i
/** How a failing page or log ends. */
const failedEnding =
  /^\s*(?:[\w.]*(?:error|exception)\b|.{0,100}\bexit(?:ed)?\s(?:with\s)?(?:code|status)\s?[1-9])/i
const failureWords =
  /\b(?:error|errors|traceback|exception|not found|no such file|failed|failure|invalid|cannot|could not|unable to|permission denied|usage:|unknown tool|please (?:re)?try)\b/i
/** A line such as `IndentationError: …`, the only output of some programs. */
const exceptionLine = /^[\w.]*(?:Error|Exception)(?::|$)/m

interface OutcomeReading {
  readonly outcome: string
  readonly failure: string | null
  /** Equal for near-equal results (`saysNearlyTheSame`). */
  readonly lines: string
}

/**
 * @param failed null if unknown; then the text decides how coarsely it is compared
 * @param volatileKeys meaningless keys of a JSON result
 */
export function readOutcome(
  text: string,
  failed: boolean | null,
  volatileKeys: readonly string[] = [],
): OutcomeReading {
  const isFailure = failed ?? speaksOfFailure(text.trim())
  const isPlain = volatileKeys.length === 0 || text.length > maxParsedLength
  const reported = isPlain ? text : withoutKeys(text, volatileKeys)
  const outcome = textHash(`${isFailure ? 'failed' : 'ok'}\n${maskVolatile(reported, isFailure)}`)
  return { outcome, failure: isFailure ? outcome : null, lines: lineSketch(reported) }
}

function speaksOfFailure(text: string): boolean {
  if (madeWords.test(text)) return false
  if (text.length <= maxAnswerLength) return holdsFailure(text)
  const firstLine = /^[^\n]*/.exec(text.slice(0, lookedThroughLine))?.[0] ?? ''
  const lastLine = text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - lookedThroughLine))
  return holdsFailure(firstLine) || failedEnding.test(lastLine)
}

/** A count of zero failures is no failure. */
function holdsFailure(text: string): boolean {
  const reported = text.replace(/\b(?:0|no)\s{1,3}(?:failed|failures?|errors?)\b/gi, '')
  return failureWords.test(reported) || exceptionLine.test(reported)
}

function withoutKeys(text: string, keys: readonly string[]): string {
  try {
    const value: unknown = JSON.parse(text, (key, entry: unknown) => (keys.includes(key) ? undefined : entry))
    return canonicalJson(value)
  } catch {
    return text
  }
}

/** More characters than a mere acknowledgement. */
const enough = 80

/** An acknowledgement such as `ok` is the same for every action; a page of text is not. */
type AmountSaid = 'nothing' | 'little' | 'enough'

/** @param text a result; surrounding blanks are ignored */
export function amountSaid(text: string): AmountSaid {
  if (text.length > 4 * enough) return 'enough'
  const { length } = text.trim()
  return length === 0 ? 'nothing' : length < enough ? 'little' : 'enough'
}
