/** What a command line would run, as far as that can be known without running it. Pure: a text in, commands and obstacles out. */
export type { Decomposition, FoundCommand, FoundWord, Obstacle, Span, WriteTarget } from './decomposition.ts'
export { decompose, type DecomposeOptions } from './decompose.ts'
export { scriptCallOf, type ScriptCall } from './programs/script-call.ts'
export { unwrapWords } from './programs/unwrap.ts'
export {
  commandWords,
  hasOption,
  isSteady,
  mayBecome,
  plain,
  subcommand,
  type CommandWords,
  type Operand,
} from './command-words.ts'
export { programName } from './programs/started.ts'
export { onlyReads, onlyReadsWithAny } from './harmless/only-reads.ts'
export { usuallyWrittenPlaces, writtenPlaces, type WrittenPlace } from './writes/written-places.ts'
export { prints, runsScript, textsOf, textsWrittenAndRun } from './written-scripts.ts'
