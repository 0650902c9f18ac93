import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import { listReports } from '#features/self-report/calls.ts'
import { startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import { askPerson, conversation, statusOf } from './messaging.fixture.ts'
import { receiveReply } from './receive-reply.service.ts'

const test = testsWithServer()
const each = 250
/** More numbers than an event shows, some of which text twice. */
const strangers = 240
const words = ['1', '2', 'hello', 'fire', 'ok 👍', 'no help needed', 'STOP', 'Where do I go?', '']

test('ANS-10 of a thousand texts at once of known, shared, unknown and named senders each is shown or counted', async ({
  server,
}) => {
  const c = await conversation(server)
  const mobile = '61481559999'
  const shared = { lastName: 'Bolt', mobile, floorUid: c.org.otherFloorUid }
  const both = [
    await server.given.occupant(c.org, Object.assign({ firstName: 'Ben' }, shared)),
    await server.given.occupant(c.org, Object.assign({ firstName: 'Bea' }, shared)),
  ]
  await c.manager(createEvent, startInput(c.org, { buildings: [c.org.otherBuildingUid] }))
  await askPerson(c)
  const senders = [
    () => c.mobile,
    () => mobile,
    (nth: number) => `61482${String(nth % strangers).padStart(6, '0')}`,
    (nth: number) => ['Mum', '12345', 'EVAC', '0'][nth % 4] ?? '',
  ]
  const texts = Array.from({ length: each }, (_, nth) =>
    senders.map((from) => ({
      providerId: randomUUID(),
      fromNumber: from(nth),
      // those whom no one knows do not call for help, and so share 200 places
      text: from(nth).startsWith('61482') ? `hello ${nth}` : `${words[nth % words.length]}`,
    })),
  ).flat()

  await Promise.all(texts.map((text) => receiveReply(server.app, text)))
  const repeated = await Promise.all(texts.slice(0, 5).map((text) => receiveReply(server.app, text)))

  expect(repeated.map(({ outcome }) => outcome)).toEqual(Array(5).fill('repeated'))
  const ids = texts.map(({ providerId }) => providerId)
  const { rows } = await sql<{ outcome: string; count: number }>`
    select outcome, count(*)::int as count from received_reply where provider_id = any (${ids}) group by 1`.execute(
    server.db,
  )
  const by = Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
  expect(Object.values(by).reduce((sum, count) => sum + count)).toBe(4 * each)
  const metrics = await server.app.metrics.inboundTexts.get()
  expect(Object.fromEntries(metrics.values.map(({ labels, value }) => [labels.outcome, value]))).toEqual(
    Object.assign({}, by, { repeated: 5 }),
  )
  // what counts as shown is shown: in a thread, or as a line of a report
  const { rows: threads } = await sql<{ outcome: string; count: number }>`
    select r.outcome, count(*)::int as count from received_reply r
    where r.provider_id = any (${ids}) and exists (select from message m where m.provider_id = r.provider_id and m.direction = 'in')
    group by 1`.execute(server.db)
  const { rows: lines } = await sql<{ reports: number; lines: number }>`
    select count(*)::int as reports, sum(cardinality(string_to_array(words, E'\\n')))::int as lines
    from self_report where said_name is null`.execute(server.db)
  const { open, help, more_numbers } = await c.manager(listReports, { query: { state: 'open', texts: 'yes' } })
  const { shown = 0, refusal = 0, unknown = 0, joined = 0, overflow = 0, not_a_phone: named = 0 } = by
  expect(Object.fromEntries(threads.map(({ outcome, count }) => [outcome, count]))).toEqual({ shown, refusal })
  expect(lines).toEqual([{ reports: 200, lines: unknown + joined }])
  expect({ known: shown + refusal, unknown, rest: joined + overflow, named }).toEqual({
    known: 2 * each,
    unknown: 200,
    rest: each - 200,
    named: each,
  })
  expect({ of: open - help, more_numbers }).toEqual({ of: 200, more_numbers: strangers - 200 })
  for (const person of both) expect(await statusOf(server, Object.assign({}, c, { person }))).toBe('unknown')
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})
