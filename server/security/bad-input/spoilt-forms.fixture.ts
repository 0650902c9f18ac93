import { type PlainPage, plainPages } from '#kernel/plain-pages.ts'
import type { Uids } from '../authorisation/call-inputs.fixture.ts'
import type { StrangeAddresses } from '../authorisation/strange-addresses.fixture.ts'
import { oddKeys, oddText } from './hostile-values.fixture.ts'
import type { Random } from './random.fixture.ts'
import { headerFaults, oddPart, type RawRequest, spoilText } from './spoilt-requests.fixture.ts'

/** Pages without script, each with its name. */
export const pages: readonly (PlainPage & { name: string })[] = Object.entries(plainPages).map(([name, page]) => ({
  ...page,
  name,
}))

/** A valid or nearly valid request to a page without script, with up to three faults added. */
export function spoiltForm(page: PlainPage, random: Random, uids: Uids, addresses: StrangeAddresses): RawRequest {
  const path = pathOf(page, random, uids, addresses)
  const request: RawRequest = { method: page.method, path, headers: [], body: Buffer.alloc(0) }
  if (page.form || random.chance(0.05)) {
    request.headers.push(['content-type', 'application/x-www-form-urlencoded'])
    request.body = formOf(page.form ?? {}, random, uids)
  }
  if (random.chance(0.2)) random.pick(headerFaults)(request, random)
  return request
}

function pathOf(
  { path }: PlainPage,
  random: Random,
  uids: Uids,
  { pack, reader, notice, link, poster }: StrangeAddresses,
) {
  const known: Record<string, string> = {
    '/p/:token': pack,
    '/p/:token/:reader': reader,
    '/p/:token/:reader/:building': `${reader}/${uids.building}`,
    '/v/:token': notice,
    '/s/:code': random.pick([link, poster]),
  }
  const parts = (known[path] ?? path).split('/')
  if (random.chance(0.15)) parts[2 + random.below(parts.length - 2)] = oddPart(random)
  return parts.join('/') + (random.chance(0.05) ? `?${random.pick(['x', 'say', '__proto__'])}=${oddPart(random)}` : '')
}

const likely = (random: Random, { building, floor }: Uids): Readonly<Record<string, string>> => ({
  say: random.pick(['safe', 'help']),
  form: random.pick(['a'.repeat(22), String(random.below(1e9)), '']),
  place: random.pick(['', `${building}`.slice(0, 8), `${floor}`.slice(0, 8), `${floor}`]),
  floor: random.pick(['', 'Level 1', '1']),
  words: random.pick(['', 'Stair B']),
  name: random.pick(['', 'Kim Lee']),
  mobile: random.pick(['', '0412 345 678']),
})

function formOf(form: Readonly<Record<string, number>>, random: Random, uids: Uids): Buffer {
  const given = likely(random, uids)
  const pairs = Object.keys(form).map((name) => [name, encoded(given[name] ?? 'x')])
  for (let faults = random.pick([0, 1, 1, 1, 2, 3]); faults > 0; faults--) spoilField(pairs, form, random)
  const text = pairs.map((pair) => pair.join('=')).join('&')
  return random.chance(0.15) ? spoilText(text, random) : Buffer.from(text)
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

function spoilField(pairs: string[][], form: Readonly<Record<string, number>>, random: Random) {
  const pair = pairs[random.below(pairs.length)]
  const fault = random.below(8)
  if (!pair || fault === 0) pairs.push([encoded(random.pick(oddKeys)), encoded(oddText(random))])
  else if (fault === 1) pairs.splice(pairs.indexOf(pair), 1)
  else if (fault === 2) pairs.push([pair[0] as string, encoded(oddText(random))])
  else if (fault === 3) pair[1] = oddPart(random)
  else if (fault === 4) pair[1] = encoded('👍'.repeat(Math.ceil(((form[`${pair[0]}`] ?? 1) + random.below(2)) / 2)))
  else pair[1] = encoded(oddText(random))
}
