import { login } from '#features/sign-in/calls/sign-in.ts'
import { password } from '../../rig/organisation.ts'
import { Product } from '../../rig/product.ts'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import { givePasswords } from '../seed/passwords.ts'
import { seedWorld } from '../seed/seed.ts'

const tries = Number(process.env.BENCH_TRIES ?? 60)
const perSecond = 50

/**
 * (k) Correct passwords while someone guesses unknown names, 300 in a burst and then 50 per second: from another
 * address and from the warden's address. TRUST_PROXY lets one machine send from several addresses.
 */
export async function benchSignInFlood(): Promise<Row[]> {
  const product = await Product.start({ TRUST_PROXY: '1' })
  try {
    const world = await seedWorld(product.pool, { evacuees: 10, wardens: tries })
    const emails = await givePasswords(product.pool, world, tries)
    return await measure(product.url, emails)
  } finally {
    await product.stop()
  }
}

async function measure(url: string, emails: readonly string[]): Promise<Row[]> {
  const calm = await timeSignIns(url, emails, '203.0.113.1')
  const elsewhere = await during(url, '198.51.100.1', () => timeSignIns(url, emails, '203.0.113.2'))
  const same = await during(url, '203.0.113.3', () => timeSignIns(url, emails, '203.0.113.3'))
  const name = 'right password, p95 ms'
  return [
    { name: `${name}, calm`, value: calm },
    withBaseline(`${name}, flood from another address`, elsewhere, calm, '<= 3'),
    { name: `${name}, flood from the same address`, value: same, target: '<= 2000 ms' },
  ]
}

async function during<T>(url: string, network: string, work: () => Promise<T>): Promise<T> {
  let n = 0
  const guess = () => signIn(url, { email: `nobody-${network}-${n++}@bench.test`, password: 'wrong password' }, network)
  const guesses = Array.from({ length: 300 }, guess)
  const timer = setInterval(() => guesses.push(guess()), 1000 / perSecond)
  const done = await work().finally(() => clearInterval(timer))
  const refused = (await Promise.all(guesses)).filter((status) => status !== 400)
  if (refused.length > 0) throw new Error(`${refused.length} guesses were answered ${refused[0]}`)
  return done
}

async function timeSignIns(url: string, emails: readonly string[], network: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < tries; i++) {
    const start = performance.now()
    const status = await signIn(url, { email: emails[i % emails.length] as string, password }, network)
    if (status !== 200) throw new Error(`a right password was answered ${status}`)
    times.push(performance.now() - start)
    await new Promise((next) => setTimeout(next, 50))
  }
  return percentile(times, 95)
}

async function signIn(url: string, body: { email: string; password: string }, network: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': network }
  const response = await fetch(`${url}${login.path}`, { method: login.method, headers, body: JSON.stringify(body) })
  await response.text()
  return response.status
}
