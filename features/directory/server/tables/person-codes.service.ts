import type { ClientUid } from '#kernel/ids.ts'
import { type Db, inClients } from '#server/platform/db/db.ts'
import { takePersonCodes as takeCodes } from '../import.queries.ts'

export { takeCodes }

class NotTaken extends Error {
  readonly codes: string[]

  constructor(codes: string[]) {
    super('nothing is taken')
    this.codes = codes
  }
}

/** The codes that would be next. Takes none. */
export async function nextCodes(system: Db, clientUid: ClientUid, count: number): Promise<string[]> {
  try {
    return await inClients(system, [clientUid], async (tx) => {
      throw new NotTaken(await takeCodes(tx, clientUid, count))
    })
  } catch (error) {
    if (error instanceof NotTaken) return error.codes
    throw error
  }
}
