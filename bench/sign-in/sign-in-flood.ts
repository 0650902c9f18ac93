import { argon2Sync, randomBytes } from 'node:crypto'
import { login } from '@evac/contract/calls/sign-in.ts'
import type pg from 'pg'
import { Product } from '../../rig/product.ts'
import { percentile, type Row } from '../report/report.ts'
import { seedWorld } from '../seed/seed.ts'

const tries = Number(process.env.BENCH_TRIES ?? 60)
const perSecond = 50
const password = 'evacuate1'

interface Account {
  email: string
  password: string
}

/**
 * (k) A right password, while somebody tries names that nobody has, 300 in a burst and then fifty a second: from another address
 * and from the warden's own. On a server that takes the address from the proxy, as two are needed.
 */
export async function benchSignInFlood(): Promise<Row[]> {
  const product = await Product.start({ TRUST_PROXY: '1' })
  try {
    return await measure(product.url, await seedAccounts(product.pool))
  } finally {
    await product.stop()
  }
}

/** Wardens who have a password. */
async function seedAccounts(pool: pg.Pool): Promise<Account[]> {
  await seedWorld(pool, { evacuees: 10, wardens: tries })
  const nonce = randomBytes(16)
  const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const stored = `$argon2id$v=19$m=19456,t=2,p=1$${text(nonce)}$${text(tag)}`
  const { rows } = await pool.query('update account set password_hash = $1 returning email', [stored])
  return rows.map(({ email }) => ({ email, password }))
}

async function measure(url: string, accounts: readonly Account[]): Promise<Row[]> {
  const calm = await timeSignIns(url, accounts, '203.0.113.1')
  const elsewhere = await beside(url, '198.51.100.1', () => timeSignIns(url, accounts, '203.0.113.2'))
  const same = await beside(url, '203.0.113.3', () => timeSignIns(url, accounts, '203.0.113.3'))
  const name = 'right password, p95 ms'
  return [
    { name: `${name}, calm`, value: calm },
    { name: `${name}, flood from another address`, value: elsewhere, bare: calm, ratio: elsewhere / calm, aim: '<= 3' },
    { name: `${name}, flood from the same address`, value: same, aim: '<= 2000 ms' },
  ]
}

async function beside<T>(url: string, network: string, work: () => Promise<T>): Promise<T> {
  let n = 0
  const guess = () => signIn(url, { email: `nobody-${network}-${n++}@bench.test`, password: 'wrong password' }, network)
  const guesses = Array.from({ length: 300 }, guess)
  const timer = setInterval(() => guesses.push(guess()), 1000 / perSecond)
  const done = await work().finally(() => clearInterval(timer))
  const refused = (await Promise.all(guesses)).filter((status) => status !== 400)
  if (refused.length > 0) throw new Error(`${refused.length} guesses were answered ${refused[0]}`)
  return done
}

async function timeSignIns(url: string, accounts: readonly Account[], network: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < tries; i++) {
    const start = performance.now()
    const status = await signIn(url, accounts[i % accounts.length] as Account, network)
    if (status !== 200) throw new Error(`a right password was answered ${status}`)
    times.push(performance.now() - start)
    await new Promise((next) => setTimeout(next, 50))
  }
  return percentile(times, 95)
}

async function signIn(url: string, body: Account, network: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': network }
  const response = await fetch(`${url}${login.path}`, { method: login.method, headers, body: JSON.stringify(body) })
  await response.text()
  return response.status
}
