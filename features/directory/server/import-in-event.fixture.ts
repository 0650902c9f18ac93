import { createEvent } from '#features/events/calls/events.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { importOrganisation } from './import.service.ts'

/** The small organisation, its chief warden signed in by the imported password; P2 a warden of it, or only offered to be one. */
export async function importedOrganisation({ accepted = false } = {}) {
  const server = await startTestServer()
  const folder = givenFolder()
  if (accepted) folder.edit('assignments.csv', 'Offered', 'Accepted')
  const run = (options = {}) => importOrganisation({ db: server.db, folder: folder.path, ...options })
  await run()
  const auth = await server.signIn('ada@small.test', 'evacuate1')
  const chief = server.callWith(auth.access_token)
  const [place] = await rowsOf<{ buildingUid: string; typeUid: string }>(
    server.db,
    'select b.uid as building_uid, t.uid as type_uid from building b, event_type t',
  )
  return {
    server,
    db: server.db,
    folder,
    run,
    chief,
    /** In its building, by the chief warden. */
    async start() {
      const reply = await chief(createEvent, {
        body: {
          buildings: [place?.buildingUid as never],
          eventType: place?.typeUid as never,
          message: 'Leave now.',
          broadcastMessage: 'no',
          alertToWarden: 'no',
        },
      })
      return reply.event?.id as string
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The same with an event in its building. */
export async function startEvent(options: { accepted?: boolean } = {}) {
  const organisation = await importedOrganisation(options)
  return { ...organisation, eventUid: await organisation.start() }
}

export const evacuees = `select p.code, e.visitor, e.status, f.code as floor from evacuee e join person p on p.uid = e.person_uid
  left join floor f on f.uid = e.floor_uid where e.active order by p.code`
