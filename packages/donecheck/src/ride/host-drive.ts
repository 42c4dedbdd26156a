import type { DriveDescription } from '../events/index.ts'
import type { Drive, OwnTool } from '../ports.ts'

/** Stands for the host: it is told what to do through the answers of the ride, and is never asked for a step. */
export function hostDrive(description: DriveDescription, tool?: OwnTool): Drive {
  return {
    description,
    next: () => Promise.reject(new TypeError('a host that owns its loop is not asked for its next step')),
    own: {
      toolOf: () => tool,
      refuse: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
    },
  }
}
