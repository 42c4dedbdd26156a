/** A snapshot that is missing, damaged or cannot be taken: nothing can be compared, so nothing may pass. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}
