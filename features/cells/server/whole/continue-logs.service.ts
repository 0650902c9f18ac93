import type { Signing } from '#features/log/server/head-log/head-log.service.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { listLogs } from './import-whole.queries.ts'

/**
 * Lets the logs of an organisation that has come go on here: the next entry of each says where from, and a head of this installation
 * covers what was before. Returns how many they are. If it is cut short, workers do the rest within the hour.
 */
export async function continueLogs(signing: Signing, clientUid: ClientUid): Promise<number> {
  const logs = await listLogs(signing.system, clientUid)
  for (const of of logs) {
    await sealEvent(signing.system, of)
    await signHead(signing, of)
  }
  return logs.length
}
