export { geminiHooks, geminiSettings } from './hooks.ts'
export { geminiDrive, type GeminiDriveOptions } from './drive.ts'
