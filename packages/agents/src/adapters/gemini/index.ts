/** Gemini CLI. */
export { geminiHooks } from './hooks.ts'
export { geminiDrive, type GeminiDriveOptions } from './drive.ts'
export { geminiSettings } from './settings.ts'
