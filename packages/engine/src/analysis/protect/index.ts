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
