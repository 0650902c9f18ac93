import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDue } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { createEvent } from '#features/events/calls/events.ts'
import { urlOf } from '#kernel/client/client.ts'
import type { BuildingUid, ClientUid, EventTypeUid, UploadUid } from '#kernel/ids.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import {
  applyUpload,
  checkUpload,
  getUpload,
  listUploadChanges,
  type Mapping,
  openUpload,
  storeUploadPart,
  undoUpload,
} from '../calls.ts'
import { archivesOf } from './export/archives.fixture.ts'
import { workOnUploads } from './upload-work.service.ts'

type Files = Record<string, string | Buffer>
type Caller = Awaited<ReturnType<typeof asAdministrator>>

interface Checking {
  by?: Caller
  endMissing?: boolean
  mapping?: Mapping
}

/** All that is in use, by table, as the names that people know it by. */
export async function inUse(db: Parameters<typeof rowsOf>[0]): Promise<Record<string, unknown>> {
  const floor = "(select b.code || '/' || f.code from floor f join building b on b.uid = f.building_uid where f.uid = "
  const tables: Record<string, string> = {
    client: 'select code, name, timezone, country, sms_allowed from client',
    site: 'select code, name, timezone from site where retired_at is null',
    building:
      'select b.code, b.name, s.code as site from building b join site s on s.uid = b.site_uid where b.retired_at is null',
    floor:
      'select b.code as building, f.code, f.name, f.level, f.kind from floor f join building b on b.uid = f.building_uid where f.retired_at is null',
    role: 'select code, name, area_domain, modules from warden_role where active',
    person: `select p.code, p.first_name, p.last_name, p.email, p.mobile, p.kind, p.visit_date, p.is_client_master, a.username,
      a.email as account_email, a.mobile as account_mobile, a.password_hash, ${floor} p.primary_floor_uid) as floor,
      (select code from building where uid = p.visiting_building_uid) as visiting
      from person p left join account a on a.uid = p.account_uid where p.active`,
    peep: `select p.code, q.disability, q.assistance, q.other, q.summary, q.consent, q.consent_on, q.review_on
      from peep q join person p on p.uid = q.person_uid where q.active`,
    assignment: `select p.code, r.code as role, a.date_from, a.date_to, a.status,
      array(select ${floor} l.floor_uid) from assignment_location l where l.assignment_uid = a.uid order by 1) as floors
      from warden_assignment a join person p on p.uid = a.person_uid join warden_role r on r.uid = a.role_uid where a.status <> 'Withdrawn'`,
    eventType: 'select code, type, description, message from event_type where active',
    floorStatus: 'select code, name, colour, display_order from floor_status where in_use',
    template: 'select code, type, text, automated_response from message_template where active',
    document: 'select d.code, d.name, d.url, d.storage_key, d.site_uid, d.person_uid from document d where active',
  }
  const read = Object.entries(tables).map(async ([name, query]) => [name, await rowsOf(db, `${query} order by 1, 2`)])
  return Object.fromEntries(await Promise.all(read))
}

/** The small organisation with an administrator of everything, and a worker that works when it is told to. */
export async function openUploading(over: Parameters<typeof givenFolder>[0] = {}) {
  const data = mkdtempSync(join(tmpdir(), 'evac-uploads-'))
  const documents = folderStore(data)
  const server = await startTestServer({ documents })
  const folder = givenFolder(over)
  await importOrganisation({ db: server.db, folder: folder.path, documents })
  const [client] = await rowsOf<{ uid: ClientUid }>(server.db, 'select uid from client')
  const org = { clientUid: client?.uid as ClientUid }
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Lind', seesPlans: true })
  const call = await asAdministrator(server, admin)
  const troubles: unknown[] = []
  const work = (over: Partial<Parameters<typeof workOnUploads>[0]> = {}) =>
    workOnUploads({
      system: server.db,
      documents,
      announce: () => undefined,
      sends: { mails: false, texts: false },
      onTrouble: (error) => troubles.push(error),
      stopping: new AbortController().signal,
      ...over,
    })
  const send = async (by: Caller, uid: UploadUid, file: string, content: Buffer, part = '1') => {
    const url = urlOf(storeUploadPart, { params: { uid, file }, query: { part } })
    const headers = { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' }
    const answer = await server.app.inject({ method: 'POST', url, headers, payload: content })
    return { status: answer.statusCode, ...answer.json() }
  }
  /** Uploads the files, each in one part, and lets a worker check them. */
  const check = async (files: Files, { by = call, endMissing = false, mapping }: Checking = {}) => {
    const { uid } = await by(openUpload, {})
    for (const [file, content] of Object.entries(files)) await send(by, uid, file, Buffer.from(content as string))
    const given = Object.keys(files).map((file) => ({ file, parts: 1 }))
    await by(checkUpload, {
      params: { uid },
      body: { files: given, end_missing: endMissing, ...(mapping && { mapping }) },
    })
    await work()
    return by(getUpload, { params: { uid } })
  }
  const apply = async (uid: UploadUid, ends: number | null = null, by: Caller = call, leaveOut = 0) => {
    await by(applyUpload, { params: { uid }, body: { ends, leave_out: leaveOut } })
    await work()
    return by(getUpload, { params: { uid } })
  }
  const undo = async (uid: UploadUid, by: Caller = call) => {
    await by(undoUpload, { params: { uid } })
    await work()
    return by(getUpload, { params: { uid } })
  }
  const changes = async (
    uid: UploadUid,
    query: { file?: string; kind?: 'added' | 'changed' | 'ended' | 'left' } = {},
  ) => (await call(listUploadChanges, { params: { uid }, query })).rows
  /** An event in its building. P1, who starts it, is on duty. */
  const startEvent = async () => {
    const { access_token } = await server.signIn('ada@small.test', 'evacuate1')
    const [place] = await rowsOf<{ buildingUid: BuildingUid; typeUid: EventTypeUid }>(
      server.db,
      'select b.uid as building_uid, t.uid as type_uid from building b, event_type t',
    )
    if (!place) throw new Error('no building')
    const { buildingUid, typeUid: eventType } = place
    const texts = { message: 'Leave now.', broadcastMessage: 'no', alertToWarden: 'no' } as const
    await server.callWith(access_token)(createEvent, { body: { buildings: [buildingUid], eventType, ...texts } })
  }
  /** Ends it, and everyone's duty with it. */
  const endEvent = async () => {
    await rowsOf(server.db, 'update warden_sign_in set on_duty = false, closed_at = now()')
    await rowsOf(server.db, 'update event_building set active = false')
    await rowsOf(server.db, 'update event set ended_at = now()')
  }
  /** Lets the worker of an upload run into a row that the statement holds. */
  const hold = async (statement: string) => {
    const holder = await server.database.owner.pg.connect()
    await holder.query('begin')
    await holder.query(statement)
    return {
      /** Waits until the worker stands there. Returns the process of its connection. */
      async reached(): Promise<number> {
        for (;;) {
          const { rows } = await holder.query<{ pid: number }>(`
            select pid from pg_locks held where locktype = 'advisory' and classid::bigint = hashtext('evac upload')::bigint & 4294967295
              and exists (select from pg_locks waits where waits.pid = held.pid and not waits.granted)`)
          if (rows[0]) return rows[0].pid
          await new Promise((done) => setTimeout(done, 5))
        }
      },
      async release() {
        await holder.query('rollback')
        holder.release()
      },
    }
  }
  /** Ends the connection of a worker at the row that the statement holds. */
  const killAt = async (statement: string) => {
    const held = await hold(statement)
    const working = work()
    await rowsOf(server.database.owner.db, `select pg_terminate_backend(${await held.reached()})`)
    await working
    await held.release()
  }
  return {
    startEvent,
    endEvent,
    undo,
    hold,
    killAt,
    archives: archivesOf(server, data),
    /** Makes the changes that have waited for someone on duty. */
    wait: () => makeDue(server.app, (error) => troubles.push(error)),
    server,
    db: server.db,
    org,
    admin,
    call,
    troubles,
    work,
    send,
    check,
    apply,
    changes,
    folder,
    documents,
    /** Files of the folder by name. */
    files: () =>
      Object.fromEntries(
        readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name))]),
      ) as Record<string, Buffer>,
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
