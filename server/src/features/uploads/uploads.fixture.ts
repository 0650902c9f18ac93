import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  applyUpload,
  checkUpload,
  getUpload,
  listUploadChanges,
  type Mapping,
  openUpload,
  storeUploadPart,
} from '@evac/contract/calls/console/tables.ts'
import { createEvent } from '@evac/contract/calls/events.ts'
import { urlOf } from '@evac/contract/client/client.ts'
import type { BuildingUid, ClientUid, EventTypeUid, UploadUid } from '@evac/contract/ids.ts'
import { folderStore } from '../../platform/documents/document-folder.ts'
import { asAdministrator, givenAdministrator } from '../../testing/administrators.ts'
import { givenFolder } from '../../testing/given-folder.ts'
import { rowsOf } from '../../testing/import-test.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { importOrganisation } from '../directory/import.service.ts'
import { workOnUploads } from './upload-work.service.ts'

type Files = Record<string, string | Buffer>
type Caller = Awaited<ReturnType<typeof asAdministrator>>

interface Checking {
  by?: Caller
  endMissing?: boolean
  mapping?: Mapping
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
      ...{ system: server.db, documents, announce: () => undefined },
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
  const apply = async (uid: UploadUid, ends: number | null = null, by: Caller = call) => {
    await by(applyUpload, { params: { uid }, body: { ends } })
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
  return {
    startEvent,
    ...{ server, db: server.db, org, admin, call, troubles, work, send, check, apply, changes, folder, documents },
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
