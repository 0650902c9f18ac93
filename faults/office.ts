import { setTimeout as delay } from 'node:timers/promises'
import {
  applyUpload,
  checkUpload,
  getUpload,
  openUpload,
  storeUploadPart,
  type Upload,
} from '@evac/contract/calls/console/tables.ts'
import { ApiError, type Call, urlOf } from '@evac/contract/client/client.ts'
import type { UploadUid } from '@evac/contract/ids.ts'
import pg from 'pg'
import { seedAdministrator } from '../rig/administrator.ts'
import { startEvent } from '../rig/api.ts'
import { importOrganisation, type TestOrganisation } from '../rig/organisation.ts'
import { phoneCaller } from '../rig/phone/caller.ts'
import type { Stage } from './stage.ts'

const partBytes = 4_000_000
const file = 'people.csv'

/** What one upload did, as its administrator saw it and as the database has it. */
export interface UploadEvidence {
  organisation: string
  /** New people in the file. */
  people: number
  /** Those of them whom the database has at the end. */
  written: number
  /** As last read. Null if it was never applied. */
  seen: Pick<Upload, 'state' | 'added' | 'changed' | 'ended' | 'left'> | null
  /** Times that the worker was killed while it applied. */
  kills: number
}

/**
 * IMP-10, ORG-43: an administrator brings in a large table while everything breaks. The worker is killed at a quarter and at
 * half of it, and an event of the same organisation starts in between.
 */
export class Office {
  readonly evidence: UploadEvidence
  readonly #stage: Stage
  readonly #organisation: TestOrganisation
  readonly #token: string

  private constructor(stage: Stage, organisation: TestOrganisation, token: string, people: number) {
    this.#stage = stage
    this.#organisation = organisation
    this.#token = token
    this.evidence = { organisation: codeOf(organisation), people, written: 0, seen: null, kills: 0 }
  }

  static async open(stage: Stage, people: number): Promise<Office> {
    const organisation = await importOrganisation(stage)
    const pool = new pg.Pool(stage.database)
    try {
      const { rows } = await pool.query('select uid from client where code = $1', [codeOf(organisation)])
      return new Office(stage, organisation, await seedAdministrator(pool, rows[0].uid), people)
    } finally {
      await pool.end()
    }
  }

  /** Ends when the upload is applied or given up, or with `stop`. */
  async work(stop: AbortSignal): Promise<void> {
    const uid = await this.#bringIn(stop)
    await this.#reach(uid, stop, ({ state }) => state === 'checked' || state === 'failed')
    await this.#insist(stop, (call) => call(applyUpload, { params: { uid }, body: { ends: null } }))
    const isOver = ({ state }: Upload) => state !== 'applying' && state !== 'checked'
    for (const share of [0.25, 0.5]) {
      await this.#reach(
        uid,
        stop,
        async (upload) => isOver(upload) || (await this.#countWritten()) >= share * this.evidence.people,
      )
      if (stop.aborted || this.evidence.seen?.state !== 'applying') break
      await this.#stage.worker.kill()
      this.#stage.worker.launch()
      this.evidence.kills++
      if (this.evidence.kills === 1) await this.#startEvent(stop)
    }
    await this.#reach(uid, stop, isOver)
    this.evidence.written = await this.#countWritten()
  }

  /** People of the file whom the database has. */
  async #countWritten(): Promise<number> {
    const client = new pg.Client(this.#stage.database)
    try {
      await client.connect()
      const counted = `select count(*)::int as people from person p join client c on c.uid = p.client_uid
        where c.code = $1 and p.code like 'NEW%'`
      return (await client.query(counted, [this.evidence.organisation])).rows[0].people
    } catch {
      return 0
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  async #bringIn(stop: AbortSignal): Promise<UploadUid> {
    const table = Buffer.from(tableOf(this.evidence.people))
    const parts = Math.ceil(table.length / partBytes)
    const opened = await this.#insist(stop, (call) => call(openUpload, {}))
    const uid = opened?.uid as UploadUid
    for (let part = 1; part <= parts; part++)
      await this.#insist(stop, () => this.#send(uid, part, table.subarray((part - 1) * partBytes, part * partBytes)))
    const body = { files: [{ file, parts }], end_missing: false }
    await this.#insist(stop, (call) => call(checkUpload, { params: { uid }, body }))
    return uid
  }

  async #send(uid: UploadUid, part: number, content: Buffer): Promise<void> {
    const url = this.#stage.url + urlOf(storeUploadPart, { params: { uid, file }, query: { part: String(part) } })
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/octet-stream' }
    const body = new Uint8Array(content)
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
    if (!answer.ok) throw new ApiError('unreachable', await answer.text())
  }

  async #startEvent(stop: AbortSignal): Promise<void> {
    await this.#insist(stop, () => startEvent(this.#stage, this.#organisation))
  }

  async #reach(uid: UploadUid, stop: AbortSignal, isThere: (upload: Upload) => boolean | Promise<boolean>) {
    while (!stop.aborted) {
      const upload = await this.#insist(stop, (call) => call(getUpload, { params: { uid } }))
      if (upload) this.evidence.seen = upload
      if (upload && (await isThere(upload))) return
      await delay(50)
    }
  }

  /** Tries until it is done. A repeated press finds the upload already beyond that step. */
  async #insist<T>(stop: AbortSignal, act: (call: Call) => Promise<T>): Promise<T | undefined> {
    while (!stop.aborted) {
      try {
        return await act(phoneCaller(this.#stage.url, this.#token))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'invalid_transition') return undefined
        await delay(500)
      }
    }
    return undefined
  }
}

const codeOf = ({ chief }: TestOrganisation) => chief.replace(/^.*@|\.test$/g, '')

const tableOf = (people: number) =>
  `code,first_name,last_name\n${Array.from({ length: people }, (_, n) => `NEW${n},New,Person ${n}\n`).join('')}`
