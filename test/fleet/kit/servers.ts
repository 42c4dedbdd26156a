import { join } from 'node:path'

/** Where `test/peers/install.ts` puts servers. */
export const serversFolder = join(import.meta.dirname, '../../../.peers/servers')
