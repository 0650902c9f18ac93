import type { Db } from '#server/platform/db/db.ts'
import * as queries from './outages.queries.ts'

/** A mark that is older was made before an outage: a worker marks each ten seconds. */
const oldSeconds = 30

/** Run every ten seconds, by any number of workers. The mark of a log begins with its event. */
export const markRunning = (system: Db): Promise<void> => queries.markRunning(system, oldSeconds)

/** Each process tells of the delays of its own live updates. Those that overlap are one. */
export const noteFeedGap = queries.noteFeedGap
