/** What runs leave behind for later ones: facts that were distilled from their records, found again by words and by failures. */
export { distil } from './distil.ts'
export { openMemory, type MemoryOptions, type OpenMemory } from './open-memory.ts'
export type { Lesson, MemoryFact, MemoryKind, RunLessons } from './fact.ts'
export { trustOf } from './score.ts'
