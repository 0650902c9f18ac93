import { sql } from 'kysely'
import { expect } from 'vitest'
import { getNoting, getObserved, makeObserverLink, noteAsObserver } from '#features/records/calls/observing.ts'
import { getRecord, listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import { createCaller } from '#kernel/client/client.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'
import { isPdfInstalled } from './pdf/pdf-packages.ts'
import { isThere, told } from './pdf/pdf-tools.fixture.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }
const canary = 'PEEP-CANARY'

/** Two floors with a person each, one of them found. Everyone has a plan. */
async function givenTenants(server: TestServer) {
  const at = await givenDrilled(server, 1)
  const [ground, second] = at.org.floors
  const theirs = await server.given.occupant(at.org, { floorUid: second })
  await sql`
    insert into peep (client_uid, person_uid, disability, assistance, other, summary)
    select client_uid, uid, ${`${canary} a`}, ${`${canary} b`}, ${`${canary} c`}, ${`${canary} d`}
    from person where client_uid = ${at.org.clientUid}`.execute(server.db)
  await sql`update person set first_name = 'Grounded', last_name = 'Person' where uid = ${`${at.persons[0]}`}`.execute(
    server.db,
  )
  await sql`update person set first_name = 'Upstairs', last_name = 'Person' where uid = ${theirs}`.execute(server.db)
  const eventUid = await at.start()
  const { mark, refuse } = await at.warden()
  await mark(`${at.persons[0]}`, 'danger')
  await refuse(`${at.persons[0]}`)
  const { link } = await at.manager(makeObserverLink, { params: { eventUid }, body: { name: 'Kim' } }, withKey())
  const modules = ['Module_Event_Records'] as const
  const officer = await server.as(await server.given.warden(at.org, { floorUid: second, modules: [...modules] }))
  return { ...at, ground, second, eventUid, officer, link }
}

/** Every file that a person can export, as text, by its name. */
async function filesOf(
  server: TestServer,
  ...[call, eventUid]: [Parameters<typeof exported>[1], Parameters<typeof exported>[2]]
) {
  const files = new Map<string, string>()
  for (const format of ['csv', 'bundle'] as const)
    for (const [name, bytes] of await unzip((await exported(server, call, eventUid, format, 'all')).file)) {
      files.set(`${format}/${name}`, `${bytes}`)
      if (readsPdf && name.endsWith('.pdf')) files.set(`${format}/${name} read`, textOf(bytes))
    }
  if (readsPdf) files.set('pdf', textOf((await exported(server, call, eventUid, 'pdf', 'all')).file))
  return files
}

const readsPdf = isPdfInstalled() && isThere('pdftotext')

function textOf(bytes: Buffer) {
  using pdf = asFile(bytes, 'record.pdf')
  return told('pdftotext', pdf.path, '-')
}

test(
  'AAR-18 T21 no plan text stands in a record, its exports, or what an observer reads',
  patience,
  async ({ server }) => {
    const { eventUid, manager, link, end } = await givenTenants(server)
    const observer = createCaller(async ({ method, url, body, headers }) => {
      const authorization = `Observer ${link.split('#')[1]}`
      const payload = body === undefined ? {} : { payload: body as object }
      const response = await server.app.inject({ method, url, headers: { authorization, ...headers }, ...payload })
      return { status: response.statusCode, json: response.json() }
    })
    const note = { kind: 'observation', body: { tone: 'Note', text: 'The stairs are free.' } } as const
    const params = { eventUid }
    const told: unknown[] = [await observer(noteAsObserver, { body: note }, withKey()), await observer(getObserved, {})]
    told.push(await manager(getNoting, { params }))
    await end()
    await writeRecords(server)
    told.push(await manager(getRecord, { params }), await manager(listTimeline, { params, query: { show: 'all' } }))
    const files = await filesOf(server, manager, eventUid)

    expect(JSON.stringify(told)).not.toContain(canary)
    expect([...files].filter(([, content]) => content.includes(canary)).map(([name]) => name)).toEqual([])
    // the names do stand there: what was searched is what was exported
    const named = [...files].filter(([, content]) => content.includes('Grounded')).map(([name]) => name)
    expect(named).toEqual(expect.arrayContaining(['csv/people.csv', 'bundle/people.ndjson']))
  },
)

test(
  "AAR-02 LOG-15 a tenant's officer has their own floor in record, timeline and exports, not the neighbour's",
  patience,
  async ({ server }) => {
    const { eventUid, officer, end, ground, second } = await givenTenants(server)
    await end()
    await writeRecords(server)
    const params = { eventUid }
    const read = JSON.stringify([
      await officer(getRecord, { params }),
      await officer(listTimeline, { params, query: { show: 'all' } }),
    ])
    const files = await filesOf(server, officer, eventUid)
    const holding = (word: string) => [...files].filter(([, content]) => content.includes(word)).map(([name]) => name)

    for (const word of ['Grounded', ground]) {
      expect(read).not.toContain(word)
      expect(holding(word)).toEqual([])
    }
    expect(read).toContain(second)
    expect(holding('Upstairs')).toEqual(expect.arrayContaining(['csv/people.csv', 'bundle/people.ndjson']))
  },
)
