import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { storedRecordOf } from '#features/exports/server/stored-record.ts'
import { bundleFiles, checkerFile, type IsInReach } from '#features/log/server/bundle.service.ts'
import { closeLog, packDataFiles, packRecord } from '#features/log/server/closing.service.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { sha256 } from '#features/log/server/merkle.ts'
import { packPeople } from '#features/log/server/people/people-packed.service.ts'
import { getLog, type LogOf } from '#features/log/server/sealing.queries.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { openSigner } from '#features/log/server/signed-note.ts'
import { checkpointFor } from '#features/log/server/witnesses/witnesses.service.ts'
import type { EventUid } from '#kernel/ids.ts'
import { endInput } from './event-input.ts'
import type { TestServer } from './test-server.ts'

export const signerOf = ({ app, config }: Pick<TestServer, 'app' | 'config'>) =>
  openSigner(app.secrets.recordLog, config.appUrl)

/** What signs and keeps heads. */
export const signingOf = (server: TestServer) => ({
  system: server.db,
  signer: signerOf(server),
  documents: server.app.documents,
})

/** A drill with a warden on duty and people of whom each is recorded once, over the API. It runs, and its log is opened. */
export async function runningDrill(server: TestServer, people?: number) {
  const drill = await unsealedDrill(server, people)
  // the sealer writes the first entry: what is counted after this has it
  await sealEvent(server.db, drill.of)
  return drill
}

/** The same before a worker has seen it. */
export async function unsealedDrill(server: TestServer, people = 5) {
  const org = await server.given.organisation({ smsAllowed: true })
  const warden = await server.given.warden(org, { firstName: 'Ada' })
  const persons = await server.given.occupants(org, people)
  const running = await server.runningEvent(org, { kind: 'drill', broadcastMessage: 'yes' })
  const call = await server.onDuty(warden)
  const record = (nth: number, status: string) =>
    call(setPersonStatus, { body: { personId: persons[nth] as never, status, floorId: org.floorUid } })
  for (const nth of persons.keys()) await record(nth, nth % 4 === 3 ? 'in danger' : 'safe')
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } })
  await server.given.evacueeMessage(running.eventUid, persons[0] as never, { direction: 'in' })
  const of: LogOf = { clientUid: org.clientUid, eventUid: running.eventUid }
  return { org, warden, persons, call, record, of, ...running }
}

export async function endedDrill(server: TestServer, people?: number) {
  const drill = await runningDrill(server, people)
  await drill.manager(endEvent, endInput(drill.org))
  return drill
}

/** Dates an event and what its journal has back. What is sealed already is then not what was logged. */
export async function dateBack({ db, database }: TestServer, { eventUid }: Pick<LogOf, 'eventUid'>, days: number) {
  const back = sql`make_interval(hours => 24 * ${days})`
  await sql`update event set started_at = started_at - ${back}, ended_at = ended_at - ${back} where uid = ${eventUid}`.execute(
    db,
  )
  await sql`update journal set recorded_at = recorded_at - ${back} where event_uid = ${eventUid}`.execute(
    database.owner.db,
  )
}

/** What the checker says of a bundle that fits itself, with no head from outside. */
export const inItself = 'INTACT in itself. No log head from outside was compared.'

/** A drill that ended so many days ago. Nothing of it is sealed yet: what is sealed cannot be dated back. */
export async function oldDrill(server: TestServer, days: number) {
  const drill = await unsealedDrill(server)
  await drill.manager(endEvent, endInput(drill.org))
  await dateBack(server, drill.of, days)
  return drill
}

/** Seals what other transactions of the machine allow, until the log has all of the ended event. Returns its size. */
export async function sealWhole(server: Pick<TestServer, 'db'>, of: LogOf): Promise<number> {
  await expect.poll(async () => (await sealEvent(server.db, of)).isWhole).toBe(true)
  return (await sealEvent(server.db, of)).size
}

/** Seals a running event up to so many entries. */
export const sealTo = (server: Pick<TestServer, 'db'>, of: LogOf, size: number) =>
  expect.poll(async () => (await sealEvent(server.db, of)).size).toBe(size)

/** Waits until no open transaction of the machine holds entries of the event back. */
export const sealable = ({ db }: Pick<TestServer, 'db'>, eventUid: EventUid) =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from journal where event_uid = ${eventUid} and xid >= journal_horizon()`.execute(db)
      return rows.length
    })
    .toBe(0)

export const countJournal = async ({ db }: Pick<TestServer, 'db'>, eventUid: EventUid) =>
  (await db.selectFrom('journal').select('position').where('eventUid', '=', eventUid).execute()).length

export const sizeOf = async ({ db }: Pick<TestServer, 'db'>, of: LogOf) => (await getLog(db, of)).size

/** Writes an entry of the event, as a feature would. */
export const writeEntry = (db: TestServer['db'], { clientUid, eventUid }: LogOf, action: string, after: unknown) =>
  db
    .insertInto('journal')
    .values({ clientUid, eventUid, action, subjectType: 'event', subjectUid: eventUid, after: JSON.stringify(after) })
    .execute()

/** A record in miniature. */
const testRecord = { number: 1, sentences: [{ number: 1, text: 'It began.' }] }

/** What the job of the records does at the end: packs, closes, journals, seals and signs. */
export async function closeRecord(server: TestServer, of: LogOf, over: Partial<Parameters<typeof closeLog>[2]> = {}) {
  await sealWhole(server, of)
  await packPeople(server.db, of)
  const packed = { ...(await packDataFiles(server.db, of)), record: await packRecord(testRecord) }
  const closed = await server.db.transaction().execute(async (tx) => {
    const after = await closeLog(tx, of, { number: 1, kind: 'drill', previous: null, ...over }, packed)
    await writeEntry(tx, of, 'record_closed', after)
    return after
  })
  const size = await sealWhole(server, of)
  return { closed, size, head: await signHead(signingOf(server), of) }
}

/** As the exporter writes it: what was erased from a list leaves its place empty. */
async function storedRecord({ db }: TestServer, of: LogOf) {
  const kept = await db
    .selectFrom('eventRecord')
    .select('summary')
    .where('eventUid', '=', of.eventUid)
    .executeTakeFirst()
  if (!kept?.summary) return undefined
  const data = { record: kept.summary as never }
  return (await db.transaction().execute((tx) => storedRecordOf(tx, of, data))).record
}

/** The bundle of a log as it is now: everything is sealed, and its head is signed. */
export async function bundleNow(server: TestServer, of: LogOf, isInReach?: IsInReach) {
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  return writeBundle(server, of, isInReach)
}

export const everything: IsInReach = () => true

/** The folder of a bundle: what the log gives, and a manifest as the exporter writes it. */
export async function writeBundle(server: TestServer, of: LogOf, isInReach = everything) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-bundle-'))
  const signer = signerOf(server)
  const heads = (await checkpointFor(signingOf(server), of)) ?? null
  for await (const { path, content } of bundleFiles(server.db, of, { signer, heads, isInReach })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(Buffer.from(piece))
    writeFileSync(join(folder, path), Buffer.concat(pieces))
  }
  writeFileSync(join(folder, 'record.json'), JSON.stringify({ record: (await storedRecord(server, of)) ?? testRecord }))
  writeManifest(folder)
  return bundleIn(folder)
}

const files = [
  ...['journal', 'people', 'ends', 'texts', 'messages', 'record', 'entries'].map((file) => `${file}.ndjson`),
  'record.json',
  'key.txt',
]

/** Names the files that the folder has, with their digests. */
function writeManifest(folder: string) {
  const digests = files.flatMap((file) => {
    const content = readIn(folder, file)
    return content === undefined ? [] : [[file, sha256(content).toString('hex')]]
  })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files: Object.fromEntries(digests) }))
}

function readIn(folder: string, file: string) {
  try {
    return readFileSync(join(folder, file))
  } catch {
    return undefined
  }
}

function bundleIn(folder: string) {
  const path = (file: string) => join(folder, file)
  const linesOf = (file: string) => readFileSync(path(file), 'utf8').split('\n').slice(0, -1)
  const write = (file: string, lines: readonly string[]) => {
    writeFileSync(path(file), lines.map((line) => `${line}\n`).join(''))
    writeManifest(folder)
  }
  const read = (file: string) => readFileSync(path(file), 'utf8')
  const put = (file: string, content: string | undefined) =>
    content === undefined ? rmSync(path(file)) : writeFileSync(path(file), content)
  return {
    folder,
    path,
    read,
    put,
    linesOf,
    write,
    check: (...words: string[]) => runChecker(folder, ...words),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

/** The checker as someone outside runs it. */
export async function runChecker(...words: string[]) {
  const run = promisify(execFile)(process.execPath, [checkerFile, ...words])
  const { code, stdout, stderr } = await run.then(
    (done) => ({ code: 0, ...done }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  )
  return { code, lines: stdout.split('\n').filter(Boolean), stderr }
}
