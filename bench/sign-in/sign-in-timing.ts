import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { median, type Row } from '../report/report.ts'

const tries = Number(process.env.BENCH_TRIES ?? 300)
const kinds = ['unknown user', 'known user', 'known user without password'] as const
type Kind = (typeof kinds)[number]

/**
 * (d) The time of a wrong password for known and unknown names, in turn. The time must not tell whether a name is
 * known.
 */
export async function benchSignInTiming(url: string, pool: pg.Pool): Promise<Row[]> {
  const names = await seedAccounts(pool)
  const times: Record<Kind, number[]> = { 'unknown user': [], 'known user': [], 'known user without password': [] }
  for (let n = -21; n < tries; n++) {
    for (const kind of [...kinds.slice(n % 3), ...kinds.slice(0, n % 3)]) {
      const time = await timeWrongPassword(url, names(kind, n))
      if (n >= 0) times[kind].push(time)
    }
    await pool.query('delete from throttle') // without this the address is locked out after a while
  }
  const unknown = median(times['unknown user'])
  return kinds.map((kind) => {
    const value = median(times[kind])
    const row = { name: `wrong password, ${kind}, median ms`, value }
    return kind === 'unknown user' ? row : { ...row, baseline: unknown, ratio: value / unknown, target: '0.95 to 1.05' }
  })
}

async function timeWrongPassword(url: string, email: string): Promise<number> {
  const body = JSON.stringify({ email, password: `wrong-${randomUUID()}` })
  const start = performance.now()
  const response = await fetch(`${url}${login.path}`, {
    method: login.method,
    headers: { 'content-type': 'application/json' },
    body,
  })
  await response.text()
  const time = performance.now() - start
  if (response.status !== 400) throw new Error(`a wrong password was answered ${response.status}`)
  return time
}

/** A new name for every try, so that nothing is remembered from the last one. */
async function seedAccounts(pool: pg.Pool) {
  const run = randomBytes(3).toString('hex')
  const count = tries + 21
  // a hash with the parameters of the product; no try has its password
  const salt = randomBytes(16).toString('base64').replaceAll('=', '')
  const tag = createHash('sha256').update(run).digest('base64').replaceAll('=', '')
  const hash = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${tag}`
  await pool.query(
    `insert into account (owner_client_uid, email, password_hash)
     select client.uid, 'known-' || i || '-${run}@bench.test', $1 from client, generate_series(1, $2::int) i
     union all select client.uid, 'plain-' || i || '-${run}@bench.test', null from client, generate_series(1, $2::int) i`,
    [hash, count],
  )
  const words: Record<Kind, string> = {
    'unknown user': 'other',
    'known user': 'known',
    'known user without password': 'plain',
  }
  return (kind: Kind, n: number) => `${words[kind]}-${n + 22}-${run}@bench.test`
}
