/** What a command line would run, as far as that can be known without running it. Pure: a text in, commands and obstacles out. */
export type {
  Decomposition,
  FoundCommand,
  FoundWord,
  Obstacle,
  ObstacleKind,
  ReadTarget,
  Span,
  WriteTarget,
} from './decomposition.ts'
export { decompose, decomposeWords, type DecomposeOptions } from './decompose.ts'
export { unwrapWords, type Unwrapped } from './programs/unwrap.ts'
export { patchInShell, type PatchInShell } from './patch-in-shell.ts'
