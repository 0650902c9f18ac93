import { expect, test, vi } from 'vitest'
import type { CallContract } from '#kernel/route.ts'
import { closeConsole, consoleCall, consoleTokenStore } from './console-session.ts'

const modules = import.meta.glob<Record<string, unknown>>('../../features/*/{calls,calls/*}.ts', { eager: true })
const isCall = (value: unknown): value is CallContract =>
  typeof value === 'object' && value !== null && 'policy' in value
const calls = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isCall)
  .filter(({ path }) => path.startsWith('/api/console/'))

test('ORG-20 the token of the console goes with each call of it but those before sign-in', async () => {
  const sent = new Map<string, string | null>()
  let now = ''
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.set(now, new Headers(headers).get('authorization'))
    return Response.json({})
  })
  consoleTokenStore.set('a token')

  for (const call of calls) {
    now = `${call.method} ${call.path}`
    const params = Object.fromEntries(Object.keys(call.params?.properties ?? {}).map((name) => [name, 'x']))
    await consoleCall(call, { params, body: {} } as never)
  }

  closeConsole()
  expect(sent.size).toBeGreaterThan(80)
  const wrong = calls.filter(
    ({ method, path, policy }) => (sent.get(`${method} ${path}`) === null) !== (policy.access === 'public'),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})
