import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { playDrill } from './acts.ts'
import { playDebrief } from './debrief.ts'
import { type DemoClient, findBareRecord, findLaterStart, hasEvents, lockDemoClient } from './demo-drill.queries.ts'
import { playLiveEvent } from './live-event.ts'
import { openStage } from './stage.ts'

/**
 * The demo has a drill that ended two weeks ago, with its record and what people added to it, and a week later a drill that
 * became a live event. Made once: a demo that has had an event keeps what it has. `writeRecords` is the ordinary job; if the
 * first record is not ready, the next start goes on.
 */
export async function keepDemoDrill(app: Services, writeRecords: () => Promise<void>): Promise<void> {
  const isNew = await inDemo(app, async (tx, client) => {
    if (await hasEvents(tx, client.clientUid)) return false
    await playDrill(await openStage(app, tx, client))
    return true
  })
  if (isNew) await writeRecords()
  await inDemo(app, async (tx, client) => {
    const bare = await findBareRecord(tx, client)
    if (bare) await playDebrief(await openStage(app, tx, { ...client, startAt: bare.beganAt }), bare.eventUid)
  })
  const goesOn = await inDemo(app, async (tx, client) => {
    const startAt = await findLaterStart(tx, client)
    if (startAt) await playLiveEvent(await openStage(app, tx, { ...client, startAt }))
    return startAt !== undefined
  })
  if (goesOn) await writeRecords()
}

const inDemo = <T>({ system }: Services, work: (tx: Tx, client: DemoClient) => Promise<T>) =>
  system.transaction().execute(async (tx) => {
    const client = await lockDemoClient(tx)
    return client && work(tx, client)
  })
