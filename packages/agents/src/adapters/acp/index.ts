export { acpDrive } from './drive.ts'
export type { AcpDriveOptions } from './drive.ts'
