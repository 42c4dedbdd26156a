import type { Decomposition } from './decomposition.ts'
import { decompositionOf, newReadingState } from './reading-state.ts'
import type { Bounds, ReadingState, ReadingContext } from './reading-context.ts'
import { readText } from './reading/text.ts'
import { noFacts } from './words/facts.ts'

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
  if (options !== usual) return decomposeScript(script, options)
  if (latest?.script !== script) latest = { script, found: decomposeScript(script, options) }
  return latest.found
}

const usual: DecomposeOptions = {}
/** Whoever judges a line asks for it several times. */
let latest: { readonly script: string; readonly found: Decomposition } | undefined

function decomposeScript(script: string, { shell, ...bounds }: DecomposeOptions): Decomposition {
  const ledger = newReadingState({ ...defaultBounds, ...bounds }, script.length)
  const isBash = shell === 'bash' || shell === 'zsh'
  readText({ text: script, place: { ...outermost(ledger), isBash } })
  readPending(ledger)
  return decompositionOf(ledger)
}

function outermost(ledger: ReadingState): ReadingContext {
  return {
    ledger,
    base: 0,
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

function readPending(ledger: ReadingState): void {
  for (let next = ledger.texts.shift(); next !== undefined; next = ledger.texts.shift()) {
    if (ledger.isFull) return
    readText(next)
  }
}
