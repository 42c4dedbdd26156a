/** Qwen Code. */
export { qwenHooks } from './hooks.ts'
export { qwenSettings } from './settings.ts'
