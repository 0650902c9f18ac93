import { sql } from 'kysely'
import { exported } from '#features/exports/server/exports.fixture.ts'
import { writeDueRecords } from '#features/records/server/record-work.service.ts'
import { workOf } from '#features/records/server/records.fixture.ts'
import type { EventUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '../../testing/administrators.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { ask, bearer, calls, inputsOf } from '../authorisation/ask.fixture.ts'
import { fill } from '../authorisation/call-inputs.fixture.ts'
import type { givenOnDuty } from '../authorisation/on-duty.fixture.ts'

type OnDutyFor = Awaited<ReturnType<typeof givenOnDuty>>

/** What can no longer be read after requests that may have stored anything: pages, lists, and files of the records of the events. */
export async function readBack(server: TestServer, onDutyFor: OnDutyFor): Promise<string[]> {
  const faults: string[] = []
  const reads = calls.filter(({ method, policy }) => method === 'GET' && policy.access !== 'public')
  for (const { name, policy } of calls.filter(({ method }) => method !== 'GET')) {
    const isConsole = policy.access === 'console'
    // wardens share an event, and each call of the console has an organisation
    if (!isConsole && name !== 'sendMessage' && name !== 'endEvent' && name !== 'takeCommand') continue
    const { own: uids, token } = onDutyFor(name)
    const own = reads.filter((one) => (one.policy.access === 'console') === isConsole)
    await Promise.all(
      own.map(async (read) => {
        const { status, text } = await ask(server, read, fill(inputsOf(read), uids), bearer(token))
        if (status >= 500) faults.push(`${read.name} after ${name}: ${text.slice(0, 300)}`)
      }),
    )
  }
  const owns = ['sendMessage', 'endEvent', 'addAddition'].map((name) => onDutyFor(name).own)
  const events = new Set(owns.flatMap(({ managedEvent, endedEvent }) => [managedEvent, endedEvent] as string[]))
  return [...faults, ...(await readRecords(server, [...events]))]
}

/** The records of the events as every kind of file. */
async function readRecords(server: TestServer, events: readonly string[]): Promise<string[]> {
  const { db } = server
  const faults: string[] = []
  const uids = events as EventUid[]
  const ended = db
    .updateTable('event')
    .set({ endedAt: new Date() })
    .where('uid', 'in', uids)
    .where('endedAt', 'is', null)
  await ended.execute()
  // records of the fixtures have numbers that no counter gave
  await sql`
    insert into record_counter (client_uid, last_number) select distinct client_uid, 1000 from event_record
    on conflict (client_uid) do update set last_number = 1000`.execute(db)
  const troubles = new Set<string>()
  await writeDueRecords(
    workOf(server),
    (error) => troubles.add(`record: ${(error as Error).stack}`),
    new AbortController().signal,
  )
  faults.push(...troubles)
  for (const eventUid of uids) {
    const of = db.selectFrom('event').select('clientUid').where('uid', '=', eventUid)
    const kept = await of.executeTakeFirst()
    if (!kept) continue
    const call = await asAdministrator(server, await givenAdministrator(server, kept as never, { seesPlans: true }))
    for (const format of ['pdf', 'csv', 'bundle'] as const)
      await exported(server, call, eventUid, format, 'all').catch((error) => faults.push(`${format}: ${error.stack}`))
  }
  return faults
}
