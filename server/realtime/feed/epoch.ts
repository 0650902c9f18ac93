import type { Db } from '../../platform/db/db.ts'
import { findEpoch, forgetTransactionIds, lockEpoch, readDatabaseIdentity, saveEpoch } from './epoch.queries.ts'

/** Returns the epoch. A restored or moved database gets a new one, so that no old offset matches. */
export async function openEpoch(db: Db): Promise<string> {
  const identity = await readDatabaseIdentity(db)
  const known = await findEpoch(db)
  if (known?.systemIdentifier === identity) return nameOf(identity, known.restores)

  return db.transaction().execute(async (tx) => {
    await lockEpoch(tx)
    const found = await findEpoch(tx)
    if (found?.systemIdentifier === identity) return nameOf(identity, found.restores)
    if (found && clusterOf(found.systemIdentifier) !== clusterOf(identity)) await forgetTransactionIds(tx)
    const restores = found ? found.restores + 1 : 0
    await saveEpoch(tx, { systemIdentifier: identity, restores })
    return nameOf(identity, restores)
  })
}

const clusterOf = (identity: string) => identity.split('/', 1)[0]
/** The count alone is not enough: two restores to a point before the first count was written have the same count. */
const nameOf = (identity: string, restores: number) => `${identity}-${restores}`
