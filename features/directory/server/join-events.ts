import { addLateVisitors } from '#features/evacuation/server/evacuee-snapshot.queries.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import { listSitesOfEvents } from '#features/events/server/event-wardens.queries.ts'
import { joinUnasked } from '#features/events/server/event-wardens.service.ts'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import type { Known } from './files/code-index.ts'
import type { FileChanges } from './import-report.ts'

const filesOfPeople = new Set(['people.csv', 'assignments.csv'])

/**
 * Adds wardens and visitors to the running events of their sites, one site at a time. Call after the
 * commit of the import: an event that began during the import has none of the new people, and a later one has all. Without
 * new people it adds those whose first day has come. A repeat changes nothing.
 */
export async function joinEvents(session: Db, { client, sites }: Known, files: readonly FileChanges[]): Promise<void> {
  const bringsPeople = files.some(({ file, created, updated }) => filesOfPeople.has(file) && created + updated > 0)
  const all = [...sites.values()].map(({ uid }) => uid)
  for (const siteUid of bringsPeople ? all : await listSitesOfEvents(session, client.uid))
    await session.transaction().execute(async (tx) => {
      await lockSite(tx, siteUid)
      await joinEventsAt(tx, client.uid, siteUid, 'import')
    })
}

/** The same at one site. Call under `lockSite`. */
export async function joinEventsAt(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, by: 'import' | 'console') {
  await joinUnasked(tx, clientUid, siteUid, by)
  const visitors = await addLateVisitors(tx, clientUid, siteUid)
  await record(
    tx,
    unattended(clientUid),
    visitors.map(({ personUid, eventUid, floorUid, buildingUid }) => ({
      action: 'evacuee_status_set',
      subjectType: 'evacuee',
      subjectUid: personUid,
      eventUid,
      after: {
        status: 'unknown',
        floor_uid: floorUid,
        ...(!floorUid && { building_uid: buildingUid }),
        by,
        tally: [[floorUid ?? buildingUid, 0, 1, 0, 0]],
      },
    })),
  )
}
