/** opencode. */
export { opencodeDrive, type OpencodeDriveOptions } from './drive.ts'
