import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { listEventSites } from '#features/events/calls/events.ts'
import {
  applyUpload,
  checkUpload,
  getUpload,
  openUpload,
  storeUploadPart,
  type Upload,
  undoUpload,
} from '#features/uploads/calls.ts'
import { ApiError, type Call, urlOf } from '#kernel/client/client.ts'
import type { UploadUid } from '#kernel/ids.ts'
import { seedAdministrator } from '../rig/administrator.ts'
import { concludeEvent, signIn, startEvent } from '../rig/api.ts'
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
  /** The undo, if the trial has one. */
  undo: UndoEvidence | null
  /** How long each part took, with its kills. */
  seconds: Partial<Record<'check' | 'apply' | 'undo', number>>
}

export interface UndoEvidence {
  /** Everyone in use, one line each: names, floor, account, number of assignments and plans. */
  before: string[]
  after: string[]
  kills: number
}

interface Killing {
  uid: UploadUid
  /** The state in which the worker is killed. */
  state: 'applying' | 'undoing'
  /** People whom the work has reached. */
  reached: () => Promise<number>
  onKill: () => Promise<void>
}

/**
 * IMP-10, ORG-43: an administrator brings in a large table while everything breaks. The worker is killed at a quarter and at
 * half of it, and an event of the same organisation starts in between. With an undo (IMP-14) the event ends, and the worker is
 * killed at a quarter and at half of the way back.
 */
export class Office {
  readonly evidence: UploadEvidence
  readonly #stage: Stage
  readonly #organisation: TestOrganisation
  readonly #token: string

  private constructor(
    stage: Stage,
    organisation: TestOrganisation,
    token: string,
    given: Pick<UploadEvidence, 'people' | 'undo'>,
  ) {
    this.#stage = stage
    this.#organisation = organisation
    this.#token = token
    this.evidence = { organisation: codeOf(organisation), written: 0, seen: null, kills: 0, seconds: {}, ...given }
  }

  static async open(stage: Stage, people: number, undoes: boolean): Promise<Office> {
    const organisation = await importOrganisation(stage)
    const pool = new pg.Pool(stage.database)
    try {
      const { rows } = await pool.query('select uid from client where code = $1', [codeOf(organisation)])
      const undo = undoes ? { before: [], after: [], kills: 0 } : null
      return new Office(stage, organisation, await seedAdministrator(pool, rows[0].uid), { people, undo })
    } finally {
      await pool.end()
    }
  }

  /** Ends when the upload is applied, undone or given up, or with `stop`. */
  async work(stop: AbortSignal): Promise<void> {
    const before = (await this.#insist(stop, () => this.#listInUse())) ?? []
    const uid = await this.#timed('check', async () => {
      const uid = await this.#bringIn(stop)
      await this.#reach(uid, stop, ({ state }) => state === 'checked' || state === 'failed')
      return uid
    })
    await this.#timed('apply', async () => {
      await this.#insist(stop, (call) => call(applyUpload, { params: { uid }, body: { ends: null } }))
      const onKill = async () => {
        if (++this.evidence.kills === 1) await this.#setEvent(stop, { runs: true })
      }
      await this.#killTwice({ uid, state: 'applying', reached: () => this.#countNew(), onKill }, stop)
    })
    const { undo } = this.evidence
    if (undo) await this.#timed('undo', () => this.#takeBack(uid, { ...undo, before }, stop))
    this.evidence.written = await this.#countNew()
  }

  /** The event must have ended (ORG-42). */
  async #takeBack(uid: UploadUid, undo: UndoEvidence, stop: AbortSignal) {
    this.evidence.undo = undo
    await this.#setEvent(stop, { runs: false })
    await this.#insist(stop, async (call) => {
      // a code that has just been given (ORG-24)
      await this.#ask('update console_session set confirmed_at = now()')
      await call(undoUpload, { params: { uid } })
    })
    const onKill = async () => {
      undo.kills++
    }
    await this.#killTwice({ uid, state: 'undoing', reached: () => this.#countNew('and not p.active'), onKill }, stop)
    undo.after = (await this.#insist(stop, () => this.#listInUse())) ?? []
  }

  async #timed<T>(part: keyof UploadEvidence['seconds'], act: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const done = await act()
    this.evidence.seconds[part] = Math.round((performance.now() - start) / 1000)
    return done
  }

  /** Kills the worker at a quarter and at half of its work, and waits for its end. */
  async #killTwice({ uid, state, reached, onKill }: Killing, stop: AbortSignal) {
    const isOver = (upload: Upload) => upload.state !== state && upload.state !== 'checked'
    for (const share of [0.25, 0.5]) {
      await this.#reach(
        uid,
        stop,
        async (upload) => isOver(upload) || (await reached()) >= share * this.evidence.people,
      )
      if (stop.aborted || this.evidence.seen?.state !== state) break
      await this.#stage.worker.kill()
      this.#stage.worker.launch()
      await onKill()
    }
    await this.#reach(uid, stop, isOver)
  }

  /** People of the file whom the database has. None while it does not answer. */
  async #countNew(condition = ''): Promise<number> {
    const counted = `select count(*)::int as people from person p join client c on c.uid = p.client_uid
      where c.code = $1 and p.code like 'NEW%' ${condition}`
    const [row] = await this.#ask<{ people: number }>(counted, [this.evidence.organisation]).catch(() => [])
    return row?.people ?? 0
  }

  async #listInUse(): Promise<string[]> {
    const listed = `
      select concat_ws(', ', p.code, p.first_name, p.last_name, p.email, p.mobile, p.primary_floor_uid, p.account_uid,
        (select count(*) from warden_assignment a where a.person_uid = p.uid and a.status in ('Offered', 'Accepted')),
        (select count(*) from peep q where q.person_uid = p.uid and q.active)) as line
      from person p join client c on c.uid = p.client_uid where c.code = $1 and p.active order by p.code`
    return (await this.#ask<{ line: string }>(listed, [this.evidence.organisation])).map(({ line }) => line)
  }

  async #ask<T>(statement: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client(this.#stage.database)
    client.on('error', () => undefined) // a fault may end it between two answers
    try {
      await client.connect()
      return (await client.query(statement, values)).rows as T[]
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

  /** Starts or ends the event. Looks first: the answer of an attempt before may have been lost. */
  async #setEvent(stop: AbortSignal, { runs }: { runs: boolean }): Promise<void> {
    await this.#insist(stop, async () => {
      const manager = await signIn(this.#stage, this.#organisation.chief)
      const isRunning = (await manager(listEventSites, {})).data.activeEvent != null
      if (isRunning === runs) return
      await (runs ? startEvent(this.#stage, this.#organisation) : concludeEvent(manager))
    })
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

/** New people, and two others who get another name: one of them has a plan. */
const tableOf = (people: number) =>
  `code,first_name,last_name\no0,Amara,Changed\np1,Petra,Changed\n${Array.from({ length: people }, (_, n) => `NEW${n},New,Person ${n}\n`).join('')}`
