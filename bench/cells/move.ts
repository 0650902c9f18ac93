import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import type pg from 'pg'
import { concludeEvent, startEvent } from '../../rig/api.ts'
import { importOrganisation } from '../../rig/organisation.ts'
import { expectThat, until } from './steps.ts'
import { type Cell, signIn, type TwoCells } from './two-cells.ts'

const project = resolve(import.meta.dirname, '../..')

/** Moves an organisation with a record of an event from the first cell to the second, as the runbook says, while that signs its own people in. */
export async function moveOrganisation({ one, two }: TwoCells): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-move-'))
  try {
    const moving = await importOrganisation(one.product)
    await concludeEvent(await startEvent(one.product, moving))
    const { uid, code } = await organisationOf(one.product.pool, moving.chief)
    await logsAreSealed(one.product.pool, uid)
    const file = join(folder, 'organisation')
    const load = underLoad(two)
    await command(one, 'organisation', 'suspend', code)
    await command(one, 'organisation', 'export', code, file)
    await command(two, 'organisation', 'import-whole', file)
    const [before, after] = await Promise.all(
      [one, two].map(({ product }) => countRows(product.pool, uid, tablesIn(file))),
    )
    expectThat(
      'each table has as many rows at the new cell',
      (before?.person ?? 0) > 0 && JSON.stringify(before) === JSON.stringify(after),
      {
        before,
        after,
      },
    )
    expectThat('check-logs finds nothing wrong across the move', (await command(two, 'check-logs')).code === 0)
    await command(two, 'organisation', 'resume', code)
    const moved = await command(one, 'organisation', 'moved', code, '--to', two.product.url)
    expectThat('the old cell knows where it has gone', moved.code === 0, moved)
    const { status, body } = await signIn(one, moving.chief)
    expectThat('a sign-in at the old cell leads to the new one', status === 409 && body.address === two.product.url)
    expectThat('where the password of before opens', (await signIn(two, moving.chief)).status === 200)
    const refused = await load.end()
    expectThat('the new cell signed its own people in meanwhile', refused.asked > 3 && refused.failed === 0, refused)
  } finally {
    rmSync(folder, { recursive: true })
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

/** What tells of the move, and goes on at both sides. `check-logs` looks at it. */
const goesOn = ['journal', 'record_line', 'record_head', 'record_log']

/** The tables that go along, as the end of the file counts them. */
function tablesIn(file: string): string[] {
  const lines = zstdDecompressSync(readFileSync(file)).toString().trimEnd().split('\n')
  const { rows } = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number> }
  return Object.keys(rows).filter((name) => !goesOn.includes(name))
}

/** The rows of the organisation in each of the tables that have the column `client_uid`. */
async function countRows(pool: pg.Pool, uid: string, among: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'client_uid' and table_name = any ($1) order by 1`,
    [among],
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
