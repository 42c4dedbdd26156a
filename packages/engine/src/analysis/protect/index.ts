/** Which paths decide whether the work is done, and where secrets lie. Pure, and small enough for whoever asks about a path alone. */
export {
  conventionOf,
  kindOf,
  matchesAny,
  mayChange,
  protectionOf,
  type ProtectOptions,
} from './known-paths.ts'
export { contentsIn, packageScriptsNamedIn, scriptsNamedIn, startedFiles } from './started-files.ts'
export {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from './private-paths.ts'
