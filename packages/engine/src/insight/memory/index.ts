export { distil, type Lesson, type MemoryFact, type MemoryKind, type RunLessons } from './distil.ts'
export { type MemoryOptions, openMemory, type OpenMemory, trustOf } from './open-memory.ts'
