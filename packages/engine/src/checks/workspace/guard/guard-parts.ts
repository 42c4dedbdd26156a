import { isAbsolute } from 'node:path'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import type { Dependencies } from '../clean-copy/dependencies.ts'
import type { ContentDigests } from '../fingerprint/content-digests.ts'
import type { Marks } from '../snapshot/manifest.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'
import type { CacheStamps } from '../watch/caches.ts'
import type { AuthorityContext } from './authority/authority.ts'
import { readMemory } from './memory.ts'
import type { TamperGuardOptions } from './options.ts'

/** What a guard is made of. */
export interface GuardParts {
  readonly options: TamperGuardOptions
  /** Its real path. */
  readonly workFolder: string
  readonly snapshots: Snapshots
  readonly digests: ContentDigests
  readonly protect: ProtectOptions
  /** What was seen of caches when the checks had last run in place, by run. In memory alone. */
  readonly trustedCaches: Map<string, CacheStamps>
}

/** How installed packages come into a copy. */
export function dependenciesOf({ options }: Pick<GuardParts, 'options'>): Dependencies {
  return options.dependencies ?? 'link'
}

/** What the baseline's scripts read in is protected as it is, whatever they read in now. */
export function withScripts(parts: GuardParts, scripts: Marks): GuardParts {
  const inside = Object.keys(scripts).filter((name) => !isAbsolute(name))
  return { ...parts, protect: { ...parts.protect, scripts: inside } }
}

/** Who has allowed what, as of now. @throws {SnapshotError} where the memory of the run cannot be read */
export function contextOf({ options, protect, snapshots }: GuardParts, runId: string): AuthorityContext {
  return { options, protect, memory: readMemory(snapshots, runId), nowMs: options.clock.nowMs() }
}
