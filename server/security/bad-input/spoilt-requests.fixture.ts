import { urlOf } from '#kernel/client/client.ts'
import type { AnySchema } from '../../http/body-size.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { inputsOf } from '../authorisation/ask.fixture.ts'
import { type CallInputs, fill, type Uids } from '../authorisation/call-inputs.fixture.ts'
import { hardTimes, withHardLeaf } from './hard-values.fixture.ts'
import { oddKeys, oddText, oddValue } from './hostile-values.fixture.ts'
import type { Random } from './random.fixture.ts'
import { valueFor } from './schema-values.fixture.ts'

/** A request as sent over the wire, without validation or repair. */
export interface RawRequest {
  method: string
  path: string
  headers: [string, string][]
  body: Buffer
}

/** A valid or nearly valid request to the call, with up to three faults added. */
export function spoiltRequest(call: NamedCall, random: Random, uids: Uids, token: string): RawRequest {
  const input = startingInput(call, random, uids)
  const request: RawRequest = {
    method: call.method,
    path: pathOf(call, input, random),
    headers: [['authorization', `Bearer ${token}`]],
    body: Buffer.alloc(0),
  }
  if (call.body || random.chance(0.05)) {
    request.headers.push(['content-type', 'application/json'])
    request.body = bodyOf(input.body, random)
  }
  if (random.chance(0.25)) random.pick(headerFaults)(request, random)
  return request
}

/** A valid request, but for one text or number that is hard to read, to store or to show. Most are taken. */
export function hardRequest(call: NamedCall, random: Random, uids: Uids, token: string): RawRequest {
  const input = fill(inputsOf(call), uids)
  const place = random.pick((['query', 'body'] as const).filter((one) => call[one]))
  const hard = place ? { ...input, [place]: withHardLeaf(call[place] as AnySchema, input[place], random) } : input
  return {
    method: call.method,
    path: urlOf(call, { params: hard.params, query: wellFormed(hard.query) } as never),
    headers: [
      ['authorization', `Bearer ${token}`],
      ...(call.body ? [['content-type', 'application/json'] as [string, string]] : []),
      ...(random.chance(0.2)
        ? [['x-observed-at', Buffer.from(random.pick(hardTimes)).toString('latin1')] as [string, string]]
        : []),
    ],
    body: call.body ? Buffer.from(JSON.stringify(hard.body) ?? '') : Buffer.alloc(0),
  }
}

/** An address holds no half of a character. */
const wellFormed = (query: unknown) =>
  Object.fromEntries(
    Object.entries((query ?? {}) as object).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  )

/** The call's row in the table, or an input generated from its schemas. */
function startingInput(call: NamedCall, random: Random, uids: Uids): CallInputs {
  if (random.chance(0.5)) return fill(inputsOf(call), uids)
  const known = Object.values(uids).filter((uid) => uid.length === 36)
  const input: Record<string, unknown> = {}
  for (const place of ['params', 'query', 'body'] as const) {
    const schema = call[place]
    if (schema) input[place] = valueFor(schema, random, known)
  }
  return input
}

const oddEscapes = ['%', '%ff', '%00', '%c0%af', '%ed%a0%80', '%2e%2e%2f', '%zz', '+', '%u0041', '%25', '%0d%0a']

function pathOf(call: NamedCall, { params = {}, query = {} }: CallInputs, random: Random): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    random.chance(0.5) ? oddPart(random) : encodeURIComponent(String(params[name] ?? 'x').toWellFormed()),
  )
  const pairs = Object.entries(query).map(([key, value]) => [key, escaped(value)])
  if (call.query && random.chance(0.8)) spoilPairs(pairs, random)
  else if (random.chance(0.05)) pairs.push([random.pick(['x', 'token', '__proto__']), oddPart(random)])
  const text = pairs.map(([key, value]) => `${key}=${value}`).join('&')
  return text === '' ? path : `${path}?${text}`
}

const escaped = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
export const oddPart = (random: Random) =>
  random.chance(0.3) ? random.pick(oddEscapes) : escaped(oddText(random)).slice(0, 9000)

function spoilPairs(pairs: string[][], random: Random) {
  const pair = pairs[random.below(pairs.length)]
  const fault = random.below(5)
  if (!pair || fault === 0) pairs.push([escaped(random.pick(oddKeys)), oddPart(random)])
  else if (fault === 1) pairs.splice(pairs.indexOf(pair), 1)
  else if (fault === 2) pairs.push([pair[0] as string, oddPart(random)])
  else if (fault === 3) pair[0] = `${pair[0]}${random.pick(['[]', '[a]', '.x', '%00', ' '])}`.replace(' ', '%20')
  else pair[1] = oddPart(random)
}

function bodyOf(body: unknown, random: Random): Buffer {
  const value = structuredClone(body)
  const faults = random.pick([0, 1, 1, 1, 2, 3])
  let spoilt = value
  for (let i = 0; i < faults; i++) spoilt = spoilValue(spoilt, random)
  const text = JSON.stringify(spoilt) ?? ''
  return random.chance(0.15) ? spoilText(text, random) : Buffer.from(text)
}

/** Changes one place: replaces a value, removes one, adds one, or nests one in another. */
function spoilValue(value: unknown, random: Random): unknown {
  const isInside = typeof value === 'object' && value !== null && !random.chance(0.15)
  if (!isInside) return random.chance(0.2) ? [value] : oddValue(random)
  if (Array.isArray(value)) {
    const index = random.below(value.length + 1)
    return value.toSpliced(index, random.below(2), spoilValue(value[index], random))
  }
  const entries = Object.entries(value)
  const at = random.below(entries.length)
  const fault = random.below(6)
  if (fault === 0 || entries.length === 0) entries.push([random.pick(oddKeys), oddValue(random)])
  else if (fault === 1) entries.splice(at, 1)
  else entries[at] = [entries[at]?.[0] as string, spoilValue(entries[at]?.[1], random)]
  // with a null prototype, __proto__ is an ordinary key
  return Object.assign(Object.create(null), Object.fromEntries(entries))
}

export function spoilText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text)
  const at = random.below(bytes.length + 1)
  const insert = (what: string | number[]) =>
    Buffer.concat([
      bytes.subarray(0, at),
      typeof what === 'string' ? Buffer.from(what) : Buffer.from(what),
      bytes.subarray(at),
    ])
  const fault = random.below(7)
  if (fault === 0) return bytes.subarray(0, at)
  if (fault === 1) return insert(random.pick([',', '"', '{', ']', '\\u', '\\ud800', '//x', 'NaN', '1e999', '\u0000']))
  if (fault === 2) return insert(random.pick([[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x00], [0x1f, 0x8b]]))
  if (fault === 3) return Buffer.from(`\ufeff${text}`)
  if (fault === 4) return Buffer.from(text.replace(/^\{("[^"]*":)/, '{$1null,$1'))
  if (fault === 5) return Buffer.from(text.replaceAll('"', "'"))
  return Buffer.from(`${'['.repeat(random.pick([100, 30_000]))}${text}`)
}

type HeaderFault = (request: RawRequest, random: Random) => void

const addHeader =
  (name: string, values: readonly string[]): HeaderFault =>
  ({ headers }, random) =>
    void headers.push([name, random.pick(values)])

const replaceHeader =
  (name: string, values: readonly string[]): HeaderFault =>
  (request, random) => {
    request.headers = [...request.headers.filter(([key]) => key !== name), [name, random.pick(values)]]
  }

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
]
const oddTypes = [
  '',
  ';',
  'application/json; charset=utf-16',
  'application/json;;',
  'application/vnd.api+json',
  'a'.repeat(500),
  'application/xml',
]
const times = [
  '',
  'now',
  '0',
  '-1',
  '9'.repeat(400),
  '2026-02-30T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '1970-01-01',
  'Infinity',
]
const keys = [
  '',
  ' ',
  'x',
  'x'.repeat(200),
  'x'.repeat(201),
  'x'.repeat(7000),
  '\u00e9',
  '\u0001',
  '"',
  "'",
  'a, b',
  '\ud83d\ude00',
]

export const headerFaults: HeaderFault[] = [
  replaceHeader('content-type', types),
  replaceHeader('content-type', oddTypes),
  addHeader('content-type', ['application/json']),
  addHeader('idempotency-key', keys),
  addHeader('idempotency-key', keys),
  addHeader('x-observed-at', times),
  addHeader('x-sent-at', times),
  replaceHeader('authorization', [
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer \u00e9',
    `Bearer ${'a'.repeat(9000)}`,
  ]),
  addHeader('authorization', ['Bearer x']),
  addHeader('x-filler', ['a'.repeat(8000), 'a'.repeat(20_000)]),
  ({ headers }) => void headers.push(...Array.from({ length: 150 }, (_, i): [string, string] => [`x-${i}`, 'a'])),
  addHeader('host', ['evil.test', '', 'a'.repeat(300), 'localhost:99999', "'"]),
  addHeader('expect', ['100-continue', '200-ok']),
  addHeader('content-encoding', ['gzip', 'x']),
  addHeader('accept-encoding', ['*;q=0', 'gzip;q=x', 'a'.repeat(500)]),
  addHeader('cookie', ['a=b; a=b', ';;;', '\u00ff']),
  addHeader('connection', ['upgrade']),
  addHeader('upgrade', ['websocket', 'h2c']),
  addHeader('range', ['bytes=0-', 'bytes=9-1', 'x']),
  addHeader('if-none-match', ['*', '"', 'W/']),
  (request, random) => {
    request.method = random.pick([
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'get',
      'FOO',
      'PROPFIND',
      'CONNECT',
    ])
  },
]
