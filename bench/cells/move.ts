import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { concludeEvent, signIn as signInTo, startEvent } from '../../rig/api.ts'
import { importOrganisation, type TestOrganisation } from '../../rig/organisation.ts'
import { expectThat, until } from './steps.ts'
import { type Cell, signIn, type TwoCells } from './two-cells.ts'

const project = resolve(import.meta.dirname, '../..')

/**
 * Moves an organisation with a record of an event from the first cell to the second by one command: given up for an event that starts,
 * killed at each step, and at last whole. Its people read meanwhile, and the second cell signs its own people in.
 */
export async function moveOrganisation({ one, two }: TwoCells): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-move-'))
  try {
    const moving = await importOrganisation(one.product)
    await concludeEvent(await startEvent(one.product, moving))
    const { uid, code } = await organisationOf(one.product.pool, moving.chief)
    await logsAreSealed(one.product.pool, uid)
    const move = moveBy({ one, two, folder, code, uid })
    await giveUpForEvent(one, moving, move)
    for (const step of ['discard', 'import-whole'] as const) await killAt(step, move)
    const before = await countRows(one.product.pool, uid)
    const [reads, load] = [readsOf(one, moving), underLoad(two)]
    await killAt('resume', move)
    const moved = await move.start().ended
    expectThat('a move that was killed after it had left goes on, and ends', moved.code === 0, moved)
    const [read, signedIn] = [await reads.end(), await load.end()]
    expectThat('its people read until it had left', read.asked > 3 && read.failed === 0, read)
    expectThat('the new cell signed its own people in meanwhile', signedIn.asked > 3 && signedIn.failed === 0, signedIn)
    const after = await countRows(two.product.pool, uid)
    const isWhole = (before.person ?? 0) > 0 && JSON.stringify(before) === JSON.stringify(after)
    expectThat('each table has as many rows at the new cell', isWhole, { before, after })
    expectThat('check-logs finds nothing wrong across the move', (await command(two, 'check-logs')).code === 0)
    const { status, body } = await signIn(one, moving.chief)
    expectThat('a sign-in at the old cell leads to the new one', status === 409 && body.address === two.product.url)
    expectThat('where the password of before opens', (await signIn(two, moving.chief)).status === 200)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Move {
  /** Runs the command. */
  start(): { pid: number; ended: Promise<{ code: number | null; said: string }> }
  /** What runs at the other cell waits at this step, until it is told otherwise. */
  waitAt(step: string): void
  /** True once it waits. */
  waits(): boolean
  isMoving(): Promise<boolean>
  /** As two minutes later. */
  letLeaseEnd(): Promise<void>
}

interface Moving extends Pick<TwoCells, 'one' | 'two'> {
  folder: string
  code: string
  uid: string
}

function moveBy({ one, two, folder, code, uid }: Moving): Move {
  const [by, waitAt, waits] = ['by.sh', 'wait-at', 'waits'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const settings = Object.entries(two.product.settings).map(([name, value]) => `export ${name}='${value}'`)
  const wait = `if [ "$1" = "$(cat '${waitAt}')" ]; then touch '${waits}'; while [ -e '${waits}' ]; do sleep 0.1; done; exit 1; fi`
  const run = `exec '${process.execPath}' server/commands/organisation-main.ts "$@"`
  writeFileSync(by, [...settings, wait, run, ''].join('\n'))
  writeFileSync(waitAt, '')
  const { pool } = one.product
  return {
    start() {
      const words = [
        'server/commands/organisation-main.ts',
        'move',
        code,
        '--to',
        two.product.url,
        '--by',
        `sh '${by}'`,
      ]
      const child = spawn(process.execPath, words, { cwd: project, env: { ...process.env, ...one.product.settings } })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
      const ended = once(child, 'close').then(([exit]) => ({ code: exit as number | null, said }))
      return { pid: child.pid as number, ended }
    },
    waitAt(step) {
      rmSync(waits, { force: true })
      writeFileSync(waitAt, step)
    },
    waits: () => existsSync(waits),
    async isMoving() {
      const { rows } = await pool.query('select moving_until > now() as is from client where uid = $1', [uid])
      return rows[0].is === true
    },
    async letLeaseEnd() {
      await pool.query('update client set moving_until = now() where uid = $1 and moving_until is not null', [uid])
    },
  }
}

/** The start of an event is never refused. */
async function giveUpForEvent(one: Cell, moving: TestOrganisation, move: Move) {
  move.waitAt('import-whole')
  const { ended } = move.start()
  await until(
    async () => move.waits(),
    (waits) => waits,
  )
  const manager = await startEvent(one.product, moving)
  expectThat('an event that starts ends the move', !(await move.isMoving()))
  move.waitAt('')
  const given = await ended
  expectThat('the command says that nothing has changed', given.code === 1, given)
  await concludeEvent(manager)
  await until(
    async () => (await one.product.pool.query("select from event_record where state <> 'ready'")).rowCount,
    (open) => open === 0,
  )
}

async function killAt(step: 'discard' | 'import-whole' | 'resume', move: Move) {
  move.waitAt(step)
  const { pid, ended } = move.start()
  await until(
    async () => move.waits(),
    (waits) => waits,
  )
  process.kill(pid, 'SIGKILL')
  move.waitAt('')
  await ended
  if (step === 'resume') return
  const again = await move.start().ended
  expectThat(`a move killed at ${step} keeps others away for two minutes`, /is moving already/.test(again.said), again)
  await move.letLeaseEnd()
}

/** Someone of the organisation reads, over and over, until the old cell has nothing to read any more. */
function readsOf({ product }: Cell, { chief }: TestOrganisation) {
  let isOver = false
  let [asked, failed] = [0, 0]
  const work = (async () => {
    const call = await signInTo(product, chief)
    while (!isOver)
      await call(getProfile, {}).then(
        () => asked++,
        (error: { code: string }) => {
          if (error.code === 'not_signed_in') isOver = true
          else failed++
        },
      )
  })()
  return {
    end: async () => {
      isOver = true
      await work
      return { asked, failed }
    },
  }
}

async function command({ product }: Cell, name: string, ...words: string[]) {
  const env = { ...process.env, ...product.settings }
  const args = [`server/commands/${name}-main.ts`, ...words]
  return promisify(execFile)(process.execPath, args, { cwd: project, env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  )
}

async function organisationOf(pool: pg.Pool, email: string): Promise<{ uid: string; code: string }> {
  const { rows } = await pool.query(
    'select c.uid, c.code from client c join account a on a.owner_client_uid = c.uid where a.email = $1',
    [email],
  )
  return rows[0]
}

const logsAreSealed = (pool: pg.Pool, uid: string) =>
  until(
    async () => {
      const { rows } = await pool.query<{ open: number }>(
        'select count(*)::int as open from event e where client_uid = $1 and not exists (select from record_head h where h.event_uid = e.uid)',
        [uid],
      )
      return rows[0]?.open
    },
    (open) => open === 0,
  )

/** What goes on at both sides (`check-logs` looks at it), and what stays behind: sessions, keys, mails, what lasts days or less. */
const apart = [
  ...['journal', 'record_line', 'log_tile', 'record_head', 'record_log'],
  ...[
    'head_log',
    'session',
    'console_session',
    'push_phone',
    'idempotency',
    'mail',
    'sms_part',
    'record_export',
    'directory_export',
  ],
]

/** The rows of the organisation in each of the tables that have the column `client_uid`. */
async function countRows(pool: pg.Pool, uid: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'client_uid' and table_name <> all ($1) order by 1`,
    [apart],
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query(`select count(*)::int as count from "${name}" where client_uid = $1`, [uid])
    counts[name] = rows[0].count
  }
  return counts
}

/** Signs people of the cell in, over and over. */
function underLoad(cell: Cell) {
  let isOver = false
  let [asked, failed] = [0, 0]
  const work = (async () => {
    while (!isOver) {
      const { status } = await signIn(cell, cell.organisation.chief).catch(() => ({ status: 0 }))
      asked++
      if (status !== 200) failed++
    }
  })()
  return {
    end: async () => {
      isOver = true
      await work
      return { asked, failed }
    },
  }
}
