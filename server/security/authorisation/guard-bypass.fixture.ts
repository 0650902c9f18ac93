import type { NamedCall } from '../../testing/contract-calls.ts'
import type { TestServer } from '../../testing/test-server.ts'

interface Detour {
  method?: string
  path?: (path: string) => string
  headers?: Record<string, string>
}

/** Attempts to bypass the guard: other spellings of an address, other methods, forged headers. */
const ways = {
  'a slash at the end': { path: (path) => `${path}/` },
  'two slashes': { path: (path) => path.replace('/api/', '/api//') },
  'a dot in the path': { path: (path) => path.replace('/api/', '/api/./') },
  'a way up in the path': { path: (path) => path.replace('/api/', '/api/docs/../') },
  'an encoded way up': { path: (path) => path.replace('/api/', '/api/docs/%2e%2e/') },
  'an encoded slash': { path: (path) => path.replace('/api/', '/api%2f') },
  'an encoded letter': { path: (path) => path.replace('/api/', '/%61pi/') },
  'a semicolon': { path: (path) => `${path};/api/health` },
  'a zero byte': { path: (path) => `${path}%00` },
  capitals: { path: (path) => path.toUpperCase() },
  'the token in the address': { path: (path) => `${path}?access_token=TOKEN&token=TOKEN` },
  'the token in a cookie': { headers: { cookie: 'access_token=TOKEN; token=TOKEN; session=TOKEN' } },
  'the token in another header': { headers: { 'x-access-token': 'TOKEN', 'x-authorization': 'Bearer TOKEN' } },
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  PUT: { method: 'PUT' },
  PATCH: { method: 'PATCH' },
  'another method named': { headers: { 'x-http-method-override': 'GET', 'x-method-override': 'GET' } },
  'another address named': { headers: { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health' } },
  'an address within': {
    headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
  },
} satisfies Record<string, Detour>

export const detours = Object.keys(ways) as (keyof typeof ways)[]

/**
 * Makes the call in the given way without a token in the header. Anything but a page of the app or a rejection counts
 * as let through.
 */
export async function goAround(
  app: TestServer['app'],
  call: NamedCall,
  detour: (typeof detours)[number],
  token: string,
) {
  const { method = call.method, path = (same) => same, headers = {} }: Detour = ways[detour]
  const withToken = (text: string) => text.replaceAll('TOKEN', token)
  const response = await app.inject({
    method: method as 'GET',
    url: withToken(path(call.path.replace(/:\w+/g, 'x'))),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withToken(value)])),
    ...(method === 'POST' && { payload: {} }),
  })
  const isPage = String(response.headers['content-type']).startsWith('text/html')
  return isPage || [400, 401, 404].includes(response.statusCode) ? 'turned away' : `let through: ${response.statusCode}`
}
