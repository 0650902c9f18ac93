import type { Db } from '../../platform/db/db.ts'
import { signDueHeads, stampHeads } from './heads.service.ts'
import type { Signer } from './note.ts'
import { sealDue } from './sealing.service.ts'

interface LogNeeds {
  system: Db
  signer: Signer
  /** Empty: heads get no time stamps. */
  tsaUrl: string
  onTrouble: (error: unknown) => void
}

/** What a worker does for the logs of all events. */
export function logWork({ system, signer, tsaUrl, onTrouble }: LogNeeds) {
  return {
    /** Every ten seconds (LOG-04, LOG-05). */
    often: async () => {
      await sealDue(system, onTrouble)
      await signDueHeads(system, signer, onTrouble)
    },
    /** Every minute: logs that nobody has sealed for an hour, and time stamps (LOG-09). */
    minutely: async () => {
      await sealDue(system, onTrouble, true)
      if (tsaUrl) await stampHeads(system, tsaUrl, onTrouble)
    },
  }
}
