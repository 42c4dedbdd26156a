export {
  behindOptions,
  commandWords,
  type CommandWords,
  type Decomposition,
  type FoundCommand,
  type FoundWord,
  hasOption,
  isSteady,
  mayBecome,
  type Obstacle,
  type Operand,
  plain,
  programName,
  type Span,
  steadyTexts,
  subcommand,
  type WriteTarget,
} from './decomposition.ts'
export { decompose } from './decompose.ts'
export { scriptCallOf, type ScriptCall } from './programs/script-call.ts'
export { unwrapWords } from './programs/wrappers.ts'
export { onlyReads, onlyReadsWithAny } from './harmless.ts'
export {
  filesWrittenBy,
  prints,
  runsScript,
  takesData,
  textsOf,
  textsWrittenAndRun,
  type WrittenPlace,
  writtenPlaces,
} from './written-places.ts'
