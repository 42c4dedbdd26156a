/** What runs leave behind for later ones: facts that were distilled from their records, found again by words and by failures. */
export { distil, type Lesson, type MemoryFact, type MemoryKind, type RunLessons } from './distil.ts'
export { type MemoryOptions, openMemory, type OpenMemory, trustOf } from './open-memory.ts'
