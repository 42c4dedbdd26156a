import type { Decomposition } from './decomposition.ts'
import { decompositionOf, newLedger } from './ledger.ts'
import type { Bounds, Ledger, Place } from './place.ts'
import { addSimple } from './reading/simple.ts'
import { readText } from './reading/text.ts'
import { noFacts } from './words/facts.ts'
import { literalWord } from './words/word.ts'

export interface DecomposeOptions extends Partial<Bounds> {
  /** The shell that will read the line, where it is known. Default: it may be `bash` or a plain `sh`, and both readings count. */
  readonly shell?: 'bash' | 'zsh' | 'sh'
}

const defaultBounds: Bounds = { maxDepth: 8, maxCommands: 1_000, maxLength: 65_536 }

/**
 * What a command line for a shell would run: every literal command anywhere in it, and an obstacle for each part that
 * cannot be told. Never throws, whatever the line is.
 */
export function decompose(script: string, options: DecomposeOptions = usual): Decomposition {
  if (options !== usual) return decomposed(script, options)
  if (latest?.script !== script) latest = { script, found: decomposed(script, options) }
  return latest.found
}

const usual: DecomposeOptions = {}
/** Whoever judges a line asks for it several times. */
let latest: { readonly script: string; readonly found: Decomposition } | undefined

function decomposed(script: string, options: DecomposeOptions): Decomposition {
  const ledger = newLedger(boundsOf(options), script.length)
  const isBash = options.shell === 'bash' || options.shell === 'zsh'
  const place = { ...outermost(ledger), base: 0, isBash }
  readText({ text: script, place })
  readPending(ledger)
  return decompositionOf(ledger)
}

/** The same of a program that is started with these words, without a shell around it. */
export function decomposeWords(words: readonly string[], options: DecomposeOptions = {}): Decomposition {
  const ledger = newLedger(boundsOf(options), 0)
  const place = outermost(ledger)
  addSimple(
    words.map((word) => literalWord(word)),
    place,
  )
  readPending(ledger)
  return decompositionOf(ledger)
}

function boundsOf({ maxDepth, maxCommands, maxLength }: DecomposeOptions): Bounds {
  return {
    maxDepth: maxDepth ?? defaultBounds.maxDepth,
    maxCommands: maxCommands ?? defaultBounds.maxCommands,
    maxLength: maxLength ?? defaultBounds.maxLength,
  }
}

function outermost(ledger: Ledger): Place {
  return {
    ledger,
    base: null,
    at: 0,
    holder: null,
    through: [],
    depth: 0,
    isBash: false,
    facts: noFacts,
    input: undefined,
    isSecond: false,
  }
}

function readPending(ledger: Ledger): void {
  for (let next = ledger.texts.shift(); next !== undefined; next = ledger.texts.shift()) {
    if (ledger.isFull) return
    readText(next)
  }
}
