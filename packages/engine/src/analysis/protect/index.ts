/** Which paths decide whether the work is done, and where secrets lie. Pure, and small enough for whoever asks about a path alone. */
export { hasScriptName, packageScriptsNamedIn, programsNamedIn, scriptsNamedIn } from './check-scripts.ts'
export { conventionOf } from './known-paths.ts'
export { matchesAny, mayChange } from './options.ts'
export type { ProtectOptions } from './options.ts'
export { kindOf, protectionOf } from './protection-of.ts'
export { startedFiles } from './started-files.ts'
export {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from './private-paths.ts'
