import type { Session } from '../session/session.ts'
import type { Clearing } from '../session/world.ts'

/** Where something is asked: of which run, through which doors, and until when. */
export interface EffectContext {
  readonly session: Session
  readonly world: Clearing
  readonly signal: AbortSignal
}
