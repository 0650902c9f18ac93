import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { getFloorData, setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent, listEventSites } from '#features/events/calls/events.ts'
import { exportRecord, getExport } from '#features/exports/calls.ts'
import { addToRecord } from '#features/records/calls/additions.ts'
import { getRecord } from '#features/records/calls/records.ts'
import type { EventUid } from '#kernel/ids.ts'
import { onDuty, signIn } from '../rig/api.ts'
import type { TestOrganisation } from '../rig/organisation.ts'
import { embeddedDatabase, makeTemporaryFolder, ProductNode, testSettings } from '../rig/product.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'

// Plays a drill with an earlier release, then starts this one on its database, and checks the records of both.
//
//   npm run test:upgrade -- COMMIT [KEEP]
//
// KEEP: the folder in which the rows and the bundle of the release are kept, for tests that do not have it.
const [old = '', keep] = process.argv.slice(2)
/** What the release itself has, started in its own folder. */
type Rig = typeof import('../rig/product.ts') & typeof import('../rig/organisation.ts')
type Call = Awaited<ReturnType<typeof signIn>>

const folder = makeTemporaryFolder('evac-upgrade-')
const dataDir = join(folder, 'data')
const port = await findFreePort()
const settings = {
  ...testSettings,
  DATA_DIR: dataDir,
  APP_URL: `http://127.0.0.1:${port}`,
  // that of tests of the server, which read what is kept
  SECRET_KEY: 'a secret for tests only, long enough',
}
const product = { url: settings.APP_URL }
let failures = 0

function show(what: string, lines: readonly string[], expected: readonly (string | RegExp)[]) {
  console.log(`\n${what}\n${lines.map((line) => `  ${line}`).join('\n')}`)
  for (const one of expected) {
    if (lines.some((line) => (typeof one === 'string' ? line === one : one.test(line)))) continue
    failures++
    console.log(`  NOT SAID: ${one}`)
  }
}

/** Asks until there is an answer. Before a record is written there is none. */
async function until<T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await delay(500)) {
    const found = await read().catch(() => undefined)
    if (found) return found
  }
  throw new Error(`It did not come: ${what}.`)
}

/** Both towers; someone of Tower B is in danger, and Tower B is taken out of the event: the release counts no one there. */
async function playDrill(org: TestOrganisation): Promise<EventUid> {
  const chief = await signIn(product, org.chief)
  const { data } = await chief(listEventSites, {})
  const towers = data.sites[0]?.buildings ?? []
  const eventType = data.eventTypes.find(({ type }) => type === 'Fire')?.id as never
  const words = { eventType, message: 'Fire alarm. Evacuate now.', broadcastMessage: 'no' as const }
  const buildings = towers.map(({ id }) => id)
  const { event } = await chief(createEvent, { body: { ...words, buildings, alertToWarden: 'yes', kind: 'drill' } })
  await recordFloor(await onDuty(product, org.floor1), ['safe', 'safe', 'in danger', 'safe'])
  await recordFloor(await onDuty(product, org.towerB), ['in danger'])
  const end = (names: readonly string[]) =>
    chief(endEvent, {
      body: {
        ...words,
        buildings: towers.filter(({ name }) => names.includes(name)).map(({ id }) => id),
      },
    })
  await end(['Tower B'])
  await end(['Tower A'])
  return event?.id as EventUid
}

async function recordFloor(warden: Call, states: readonly string[]) {
  const floor = await warden(getFloorData, {})
  if ('error' in floor) throw new Error(floor.message)
  const floorId = floor.input.floor as never
  for (const [nth, status] of states.entries())
    await warden(setPersonStatus, { body: { personId: floor.persons[nth]?.id as never, status, floorId } })
  await warden(setFloorStatus, { body: { floorId, floorStatusId: floor.floor_status.at(-1)?.id as never } })
}

/** The record's bundle as a file, and what the checker of this release says of it. */
async function bundleOf(chief: Call, eventUid: EventUid, name: string) {
  const params = { eventUid }
  const { uid } = await chief(exportRecord, { params, body: { format: 'bundle', names: 'all' } })
  const url = await until('the bundle', async () => (await chief(getExport, { params: { uid } })).url)
  const path = join(folder, name)
  writeFileSync(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
  return path
}

function check(...words: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, ['check/record-check.mjs', ...words], { encoding: 'utf8' })
  return `${stdout}${stderr}`.split('\n').filter(Boolean)
}

/** Each row of the database as a line of JSON, and the bundle, for `server/testing/last-release.ts`. */
async function keepRelease(into: string, bundle: string) {
  mkdirSync(into, { recursive: true })
  copyFileSync(bundle, join(into, 'record.zip'))
  const client = new pg.Client(embeddedDatabase(dataDir))
  await client.connect()
  const { rows: tables } = await client.query<{ name: string; made: string[] }>(
    `select relname as name, array(select attname::text from pg_attribute where attrelid = c.oid and attgenerated <> '') as made
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname !~ '^(kysely|simulated_|throttle|steady_clock)' order by 1`,
  )
  const lines: string[] = []
  for (const { name, made } of tables) {
    const { rows } = await client.query(`select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`, [
      made,
    ])
    for (const { row } of rows) lines.push(`{"table": "${name}", "row": ${row}}\n`)
  }
  await client.end()
  writeFileSync(join(into, 'rows.jsonl'), lines.join(''))
}

async function playWithOld() {
  const rig = {
    ...(await import(join(old, 'rig/product.ts'))),
    ...(await import(join(old, 'rig/organisation.ts'))),
  } as Rig
  const node = new rig.ProductNode({ port, settings })
  await node.start()
  const org = await rig.importOrganisation(
    { import: (files: string) => rig.importFolder(files, settings) },
    { site: 'Wharf' },
  )
  const eventUid = await playDrill(org)
  const chief = await signIn(product, org.chief)
  const params = { eventUid }
  const record = await until('the record', async () => (await chief(getRecord, { params })).record ?? undefined)
  await chief(addToRecord, { params, body: { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } })
  const bundle = await bundleOf(chief, eventUid, 'old.zip')
  if (keep) await keepRelease(keep, bundle)
  await node.stop()
  return { org, eventUid, record, bundle }
}

/** Counted again, and in version 2. */
async function readWithNew({ org, eventUid, bundle: before }: Awaited<ReturnType<typeof playWithOld>>) {
  const node = new ProductNode({ port, settings })
  await node.start()
  const chief = await signIn(product, org.chief)
  const recount = await until(
    'the count of today',
    async () => (await chief(getRecord, { params: { eventUid } })).recount ?? undefined,
  )
  const after = await bundleOf(chief, eventUid, 'new.zip')
  await node.stop()
  const [, head] = /log head (\d+ \S{44})$/m.exec(check(before).join('\n')) ?? []
  return { recount, after, head: head ?? '' }
}

try {
  const played = await playWithOld()
  show(
    'The record of the release',
    played.record.sentences.map(({ text }) => text),
    [],
  )
  show('Its bundle', check(played.bundle), ['INTACT (version 1)'])
  const { recount, after, head } = await readWithNew(played)
  show('Counted again', [recount.text], [/^Counted again on \d+ \w+ \d{4} by the rules of version 2: /])
  show('The same bundle, checked with the head that it had then', check(played.bundle, '--head', head), [
    'INTACT (version 1)',
  ])
  const gone = /^Before entry \d+ this log is of version 1: 0 lines were already gone, and no entry says why\.$/
  show('A bundle of today', check(after), ['INTACT in itself. No log head from outside was compared.', gone])
  const first = `The first ${head.split(' ')[0]} entries are those of the head you gave.`
  show('A bundle of today, with the head of then', check(after, '--head', head), ['INTACT', first, gone])
  console.log(failures === 0 ? '\nAll is as it should be.' : `\n${failures} were not said.`)
  process.exitCode = failures === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
