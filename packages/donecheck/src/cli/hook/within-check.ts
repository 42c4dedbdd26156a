import { checkVariable } from '../../process/index.ts'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'

/**
 * The agent works for a check, a judge perhaps: to hold it would run the checks again, and its own agent in them, for ever.
 * Looked at only where the variable is set, which a check that runs must bear out.
 */
export async function worksForCheck(surroundings: HomeSurroundings): Promise<boolean> {
  const token = surroundings.environment[checkVariable]
  if (token === undefined) return false
  const { isWithinCheck } = await import('./full-ride.ts')
  return isWithinCheck(token, stateHome(surroundings))
}
