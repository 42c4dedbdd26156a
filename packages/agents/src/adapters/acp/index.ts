/** Agents that speak the Agent Client Protocol. */
export { acpDrive } from './drive.ts'
export type { AcpDriveOptions } from './drive.ts'
