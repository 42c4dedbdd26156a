/** Cursor. */
export { cursorHooks } from './hooks.ts'
export { cursorSettings } from './settings.ts'
