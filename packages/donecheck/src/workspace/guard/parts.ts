import { isAbsolute } from 'node:path'
import type { ProtectOptions } from '../../tamper/index.ts'
import type { ContentDigests } from '../content-digests.ts'
import type { Marks } from '../snapshot/manifest.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'
import type { CacheStamps } from '../watch/caches.ts'
import type { TamperGuardOptions } from './options.ts'

/** What a guard is made of. */
export interface GuardParts {
  readonly options: TamperGuardOptions
  /** Its real path. */
  readonly workFolder: string
  readonly snapshots: Snapshots
  readonly digests: ContentDigests
  readonly protect: ProtectOptions
  /** What was seen of caches when the agreed checks had last run, by run. In memory alone. */
  readonly trustedCaches: Map<string, CacheStamps>
}

/** How installed packages come into a copy. */
export function dependenciesOf({ options }: Pick<GuardParts, 'options'>): 'link' | 'copy' | 'none' {
  return options.dependencies ?? 'link'
}

/** What the untouched scripts read in is protected as they are, whatever they read in now. */
export function withScripts(parts: GuardParts, scripts: Marks): GuardParts {
  const inside = Object.keys(scripts).filter((name) => !isAbsolute(name))
  return { ...parts, protect: { ...parts.protect, scripts: inside } }
}
