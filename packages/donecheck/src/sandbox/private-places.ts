/** Where secrets usually lie, on this machine: nothing of this can be read in a sandbox. */
import { isAbsolute, join } from 'node:path'
import {
  privatePlacesOfConfig,
  privatePlacesOfHome,
  privatePlacesOfSystem,
  privatePlaceVariables,
} from '../protect/index.ts'

/** Absolute paths, whether they exist or not. */
export function privatePlaces(
  homeFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const config = environment['XDG_CONFIG_HOME']
  const state = environment['XDG_STATE_HOME']
  const configs = [
    join(homeFolder, '.config'),
    ...(config !== undefined && isAbsolute(config) ? [config] : []),
  ]
  return [
    ...privatePlacesOfHome.map((place) => join(homeFolder, place)),
    ...configs.flatMap((folder) => privatePlacesOfConfig.map((place) => join(folder, place))),
    ...(state !== undefined && isAbsolute(state) ? [join(state, 'donecheck')] : []),
    ...privatePlacesOfSystem,
    ...privatePlaceVariables.flatMap((name) => {
      const place = environment[name]
      return place !== undefined && isAbsolute(place) && place !== '/' ? [place] : []
    }),
  ]
}
