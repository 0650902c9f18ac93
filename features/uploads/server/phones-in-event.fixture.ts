import { expect } from 'vitest'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { findHorizon } from '#server/realtime/feed/feed.queries.ts'
import { recover } from '#server/realtime/feed/recovery.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { openUploading } from './uploads.fixture.ts'

const occupants = ['P3', 'P4', 'P5', 'P6', 'O1', 'O2', 'O3', 'J1', 'J2', 'J3']
const wardens = ['P2', 'W1', 'W2', 'W3', 'X1', 'X2', 'X3']
/** The days of each assignment. */
export const held = '2020-01-01,2099-12-31'

/** An event with P1 on duty, the wardens not on duty, and the occupants. */
export async function openEvent() {
  const codes = [...occupants, ...wardens]
  const at = await openUploading({
    'people.csv': `code,first_name,last_name,email,username,mobile,password,floor,kind,visit_date,is_client_master
P1,Ada,Abara,ada@small.test,,0491 000 901,evacuate1,B1/G,staff,,yes
${codes.map((code) => `${code},${code},Long,${code}@small.test,,,,B1/L1,staff,,no`).join('\n')}
`,
    'assignments.csv': `person,role,site,locations,date_from,date_to,status
P1,CHIEF,S1,,${held},Accepted
${wardens.map((code) => `${code},FLOOR,S1,B1/L1,${held},Accepted`).join('\n')}
`,
  })
  await at.startEvent()
  const value = async <T = never>(statement: string) => (await rowsOf<{ value: T }>(at.db, statement))[0]?.value as T
  const uidOf = (table: string, code: string) => value(`select uid as value from ${table} where code = '${code}'`)
  const eventUid = await value<string>('select uid as value from event')
  /** The topics that the phones of the event hear of a change. */
  const told = async (change: () => Promise<unknown>) => {
    const last = () => value<number>('select max(xid::text::bigint)::float8 as value from journal')
    const before = await last()
    await change()
    // a transaction of another test that ends while the feed looks counts as ours for that moment
    await expect.poll(async () => (await findHorizon(at.db)).heldBackSeconds).toBeNull()
    const { publications } = await recover(at.db, `event:${eventUid}`, before, 100)
    const topics = publications.flatMap(({ json }) => (JSON.parse(json).changed ?? []) as { topic: string }[])
    return topics.map(({ topic }) => topic)
  }
  const upload = async (files: Record<string, string>) => at.apply((await at.check(files)).uid)
  const command = async (files: Record<string, string>) => {
    using folder = givenFolder({ ...nothing, ...files })
    expect(await importOrganisation({ db: at.db, folder: folder.path })).toMatchObject({ errors: [], notes: [] })
  }
  return { ...at, told, upload, command, value, uidOf }
}
export type Event = Awaited<ReturnType<typeof openEvent>>

/** organisation.csv alone. */
const nothing = Object.fromEntries(
  ['sites', 'buildings', 'floors', 'roles', 'people', 'peeps', 'assignments', 'event_types', 'floor_statuses']
    .concat(['templates', 'documents'])
    .map((name) => [`${name}.csv`, undefined]),
)
