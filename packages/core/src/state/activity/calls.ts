/** What is read off a tool call and its result for the rules: whether it looks, waits or edits, and when two calls or two results are the same. */
import type { JsonValue, ToolEffect } from '../../events/index.ts'
import { canonicalJson } from '../../base/index.ts'
import { textHash, momentaryParts, lineSketch, maskVolatile } from './texts.ts'
import type { ToolTraits } from '../../events/settings/index.ts'

/** Arguments that hold a command line or a program. */
const commandKeys: readonly string[] = ['command', 'cmd', 'script', 'content', 'code']

/** What stands under one name among the arguments of a call. */
function valueAt(args: JsonValue, key: string): JsonValue | undefined {
  return isObject(args) && Object.hasOwn(args, key) ? args[key] : undefined
}

/** The text under one name among the arguments of a call. */
export function textAt(args: JsonValue, key: string): string | undefined {
  const value = valueAt(args, key)
  return typeof value === 'string' ? value : undefined
}

function isObject(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `ran`: the call was tried. `vetoed`: a rule of the soft tier refused it. */
type CallStatus = 'ran' | 'vetoed'

/** A call and what came of it, as far as rules look at it. */
export interface CallFact {
  /** Of the event that answered it. */
  readonly sequence: number
  /** Equal for calls that were asked for at one time: the number of the turn, or of the reply within a turn of many (`batchOf`). */
  readonly turn: number
  readonly tool: string
  /** Equal for calls that mean the same: tool and arguments, volatile keys left out. */
  readonly call: string
  /** Equal for results that say the same; null: unknown, and equal to nothing. */
  readonly outcome: string | null
  /** A sketch of the lines of its result. Absent or empty: nobody knows. */
  readonly lines?: string
  /** Equal for failures that say the same, whatever was called; null: it did not fail, or nobody knows. */
  readonly failure: string | null
  readonly callStatus: CallStatus
  /** It waits, sleeps or asks how something stands. */
  readonly waits: boolean
  /** A change that changed nothing. */
  readonly noOp: boolean
  /** It lets time pass by itself, so asking after it is no hurry. Absent: it does not, or nobody knows. */
  readonly pauses?: true
  /** It changes nothing, as far as its tool's effect or name says. Absent: nobody knows. */
  readonly looks?: true
  /** How much its result says. Absent: nobody knows. */
  readonly said?: AmountSaid
  /** It is there to change the work, and did not fail. Absent: it is not, or nobody knows. */
  readonly edits?: true
  /** Equal for failing calls that differ in nothing but the paths that they name. Absent: it did not fail, or it names none. */
  readonly pattern?: string
  /** Its tool is declared to change nothing: the same result is a repetition, whatever was done in between. */
  readonly readOnly?: true
}

export interface CallRecord extends CallFact {
  /** How often this call had this outcome before, without progress between (`readOnly`: at all): 0 for something new. */
  readonly repeat: number
  /** How often in a row it said this or nearly this before. */
  readonly alike: number
  /** Pieces before this one in work through a list: calls of one pattern, each with paths of its own. Absent: none. */
  readonly listed?: number
  /** The call before it waited: it looks how something stands. Absent: it did not. */
  readonly afterWait?: true
  /** Progress made before it: calls of different generations were made on different work. */
  readonly generation: number
}

/** Tools that change files, by names that agents in use give them. */
const editingTool =
  /^(?:(?:[Ee]dit|[Ww]rite|[Mm]ulti_?[Ee]dit|[Nn]otebook_?[Ee]dit|str_replace|[Aa]pply_?[Pp]atch)(?:$|_|[A-Z])|(?:[Cc]reate|[Aa]ppend|[Ii]nsert|[Rr]eplace|delete|rename|move)(?:$|_?(?:[Ff]ile|[Ll]ines?|[Tt]ext|in_file|to_file)))/
/** Commands of an editor tool that only show a file. */
const viewing = /^(?:view|read|open|cat)$/
const pathKeys = ['path', 'file_path', 'filePath', 'filename', 'file', 'target_file', 'notebook_path']

/**
 * The files that a call of an editing tool names; empty: its arguments name none that can be read here, such as those of a patch.
 * Undefined: the call is not known to edit. What a command line writes is not read.
 * @param effect what the tool declares; undefined: unknown
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

/** Longer arguments hold contents, and contents are not the pieces of a list. */
const maxArgumentsLength = 1000
const words = /[^\s"'`,;:=()<>|&\\]+/g
const ending = /[\w-]\.[a-z]\w{0,4}$/i
/** What a failure says of a piece that does not exist: whoever guesses names works through no list. */
const missing =
  /\bno such file|\bthere is no (?:file|folder)\b|\bnot found\b|\bdoes(?: not|n't) exist|\bcannot (?:find|stat|open|access)\b|\bENOENT\b/i

/**
 * Equal for calls that differ in nothing but the paths that they name, as in `lint a.ts`, `lint b.ts`. Undefined: it names no
 * path, or its result says that there is no such thing.
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

/** Tools that only look, by names that agents in use give them. */
const lookingTool =
  /^(?:read|view|open|cat|head|tail|list|ls|glob|find|grep|search|look|show|fetch|browse|web_?(?:search|fetch))(?:$|_|[A-Z])/

/** One simple command that only looks, of a shell or of an editor, perhaps in another folder; what is piped, redirected or substituted is not looked into. */
const lookingCommand =
  /^\s*(?:cd\s+[\w./~-]+\s*&&\s*)?(?:sed\s+-n\s+['"]?[\d,$]+p['"]?|view|cat|head|tail|grep|rg|ls|wc|pwd|git\s+(?:status|diff|log|show|blame))(?: [^;&|<>`$(){}\n]*)?$/
/** A longer command line is a program. */
const maxCommandLength = 500

/** The call changes nothing, as far as its tool's effect or name, or the command that it runs, says. */
export function looks(tool: string, effect: ToolEffect | undefined, args: JsonValue): boolean {
  const command = textAt(args, 'command') ?? ''
  const isLookingCommand = command.length <= maxCommandLength && lookingCommand.test(command)
  return effect === 'read' || lookingTool.test(tool) || isLookingCommand
}

/** Tools that wait or ask how something stands, by names that agents in use give them. */
const waitingTool =
  /^(?:poll|wait|sleep|continue_wait)(?:$|_)|^(?:bash|task)_?output$|(?:^|_)(?:get|check|command|process|job|task|run|build|deployment|pipeline)_?(?:status|state)$/i
/** A command line that waits on purpose. */
const waitingCommand = /(?:^|[\s;&|(])(?:sleep|wait|timeout\s+\S+\s+tail\s+-[fF])(?:\s|$)/
/** Command lines that ask how a job, a server or a log stands, and are made again for that. */
const askingCommand =
  /(?:^|[\s;&|(])(?:gh\s+(?:run|pr)\s+(?:view|watch|checks)|kubectl\s+(?:get|rollout)|docker\s+(?:ps|logs)|systemctl\s+status|squeue|curl\s[^|;&]{0,200}(?:health|status|ready)|tail\s[^|;&]{0,200}\.log)(?:\W|$)/
/** One that lets time pass by itself. */
const pausingCommand = /(?:^|[\s;&|(.])sleep(?:\s+[\d.$]|\()/
const pausingTool = /^(?:wait|sleep|continue_wait)(?:$|_)/i
/** A call that took so long has let time pass, however it did so. */
const pauseMs = 5000
/** Of a command line. */
const lookedThrough = 2000
/** Values of an argument `action` that ask how something stands. */
const pollActions = ['poll', 'log', 'status', 'wait']

/** The call waits or asks how something stands, so that being made again is no sign of a loop by itself. */
export function waits(tool: string, args: JsonValue, traits: ToolTraits | undefined): boolean {
  if (traits?.poll !== undefined) return traits.poll
  if (waitingTool.test(tool)) return true
  const action = textAt(args, 'action')
  if (action !== undefined && pollActions.includes(action)) return true
  return someCommand(args, (command) => waitingCommand.test(command) || askingCommand.test(command))
}

/** @param durationMs absent: nobody has looked at the time */
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

/** Arguments by which a call is told from others like it, and which say nothing of what it does. */
const volatileKeys =
  /^(?:attempt|attempts|try|retry|timestamp|ts|now|time|nonce|seed_id|(?:request|trace|span|call|correlation|idempotency|message|session|run|tool_?call)_?(?:id|key)|uuid)$/i

/** The moment and its marks, in a text that says what to do. Names with digits in them stay: they name things. */
const momentary = new RegExp([...momentaryParts, String.raw`\b\d{10,}\b`].join('|'), 'gi')
/** At the end of a text whose blanks are single. */
const momentComments = [' # #', ' ##']
/** Longer texts are contents, not commands: they are compared as they are. */
const maxNormalisedLength = 4000

/**
 * Equal for calls that mean the same: the order of keys, blanks, times, fresh ids and counted attempts say nothing.
 */
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

/** A command line or a program that is empty, and nothing beside it: nothing was asked, so no change of the work gives another answer. */
export function asksNothing(args: JsonValue): boolean {
  if (typeof args !== 'object' || args === null || isList(args)) return false
  const entries = Object.entries(args)
  const isEmpty = ([key, value]: (typeof entries)[number]) =>
    commandKeys.includes(key) && typeof value === 'string' && value.trim() === ''
  return entries.length > 0 && entries.every(isEmpty)
}

/** A number or a short word; what is under such a name and longer is meant. */
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

/** A comment that holds nothing but the moment. By hand: a pattern for it takes quadratic time on a text of blanks. */
function withoutMomentComment(text: string): string {
  const comment = momentComments.find((ending) => text.endsWith(ending))
  return comment === undefined ? text : text.slice(0, -comment.length)
}

/** Keys are left out of no longer result. */
const maxParsedLength = 256 * 1024
/** Of a longer result, a page or a log, the words in the middle are what it is about: its first and its last line say how it went. */
const maxAnswerLength = 1000
/** Characters of a line that are looked at. */
const lookedThroughLine = 300

/** What an edit that was made says first; what follows is the text that was written. */
const madeWords =
  /^\W*(?:the file\s.{1,300}?\s(?:has|was)\b|(?:file|patch|changes?)\s(?:created|written|applied|saved)|(?:successfully|edited|updated|created|wrote|written|saved|applied|replaced)\b)/i
/** How a page or a log ends that ends in a failure. */
const failedEnding =
  /^\s*(?:[\w.]*(?:error|exception)\b|.{0,100}\bexit(?:ed)?\s(?:with\s)?(?:code|status)\s?[1-9])/i
const failureWords =
  /\b(?:error|errors|traceback|exception|not found|no such file|failed|failure|invalid|cannot|could not|unable to|permission denied|usage:|unknown tool|please (?:re)?try)\b/i
/** A line such as `IndentationError: …`, which is all that some programs say. */
const exceptionLine = /^[\w.]*(?:Error|Exception)(?::|$)/m

/** What a result says, as rules compare it. */
interface OutcomeReading {
  readonly outcome: string
  /** Null: it did not fail. */
  readonly failure: string | null
  /** Alike for results that say nearly the same (`saysNearlyTheSame`). */
  readonly lines: string
}

/**
 * @param failed null: the source does not say; then the words of the result decide, and only how coarsely it is compared
 *   depends on it
 * @param volatileKeys of a JSON result that mean nothing
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

/** A count of none is good news. */
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

/** Characters that say more than that something was done. */
const enough = 80

/** How much a result says: an acknowledgement such as `ok` is the same for everything that is done, a page of text is not. */
type AmountSaid = 'nothing' | 'little' | 'enough'

/** @param text a result; blanks around it say nothing */
export function amountSaid(text: string): AmountSaid {
  if (text.length > 4 * enough) return 'enough'
  const { length } = text.trim()
  return length === 0 ? 'nothing' : length < enough ? 'little' : 'enough'
}
