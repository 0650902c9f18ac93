import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import { startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { foundOrganisation } from './found.service.ts'

const migration = new URL(
  '../../../server/migrations/before-0.1/0140-organisations-without-a-clear-status.sql',
  import.meta.url,
)
const clearOf = async ({ db }: TestServer, clientUid: string) =>
  (
    await db
      .selectFrom('floorStatus')
      .select('name')
      .where('clientUid', '=', clientUid as never)
      .where('meansClear', '=', true)
      .execute()
  ).map(({ name }) => name)

test('PPL-41 an organisation begins with a floor status that means clear, made at its set-up or at its first event', async ({
  server,
}) => {
  const started = await server.given.organisation()
  await server.database.owner.pg.query('delete from floor_status where client_uid = $1', [started.clientUid])
  const details = { name: 'New', timezone: 'Australia/Sydney', country: 'AU', contactEmail: 'a@b.example' }

  const founded = await server.db.transaction().execute((tx) => foundOrganisation(tx, { code: 'NEW-ORG', ...details }))
  const chief = await server.as(await server.given.warden(started, { role: 'Chief Warden' }))
  await chief(createEvent, startInput(started))

  expect(await clearOf(server, founded)).toEqual(['Evacuated'])
  expect(await clearOf(server, started.clientUid)).toEqual(['Evacuated'])
})

test('PPL-41 an organisation that was set up without a clear status gets one, and no other is changed', async ({
  server,
}) => {
  const [without, own] = [await server.given.organisation(), await server.given.organisation()]
  for (const { clientUid } of [without, own])
    await server.db
      .insertInto('floorStatus')
      .values({ clientUid, code: 'EVACUATED', name: 'Evacuated ', colour: 'green', displayOrder: 9 })
      .execute()
  await server.db.updateTable('floorStatus').set({ meansClear: true }).where('uid', '=', own.statusUids[1]).execute()

  await sql.raw(await readFile(migration, 'utf8')).execute(server.db)

  expect(await clearOf(server, without.clientUid)).toEqual(['Evacuated '])
  expect(await clearOf(server, own.clientUid)).toHaveLength(1)
  expect(await clearOf(server, own.clientUid)).not.toContain('Evacuated ')
})
