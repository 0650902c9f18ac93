import { expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/database.ts'
import { calls } from '../authorisation/ask.fixture.ts'
import { startLeakyServer } from './leaky-server.fixture.ts'
import { isTrouble, startScanServer } from './scan-server.fixture.ts'
import { runWapiti } from './wapiti.fixture.ts'

/** A header that browsers no longer support, and one that is for https only (`http/security-headers.ts`). */
const notMissed = ['X-XSS-Protection is not set', 'Strict-Transport-Security is not set']

const reads = calls.filter(({ method }) => method === 'GET')
const isOfConsole = ({ policy }: (typeof reads)[number]) => policy.access === 'console'
const sides = [
  {
    side: 'the pages and the calls that read',
    reads: reads.filter((call) => !isOfConsole(call)),
    asker: 'getProfile',
    pages: ['/login?from=/me/role', '/reset-password?token=x', '/simulator?mobile=61499999999', '/api/docs'],
  },
  {
    side: 'the calls of the console that read',
    reads: reads.filter(isOfConsole),
    asker: 'getMe',
    pages: ['/console', '/console/sign-in', '/console/people?q=a', '/console/set-up', '/console/invitation'],
  },
]

test('T13 wapiti finds the holes in a vulnerable server', { timeout: 200_000 }, async () => {
  await using database = await openTestDatabase({ empty: true })
  await using leaky = await startLeakyServer(database.owner.db)

  const { finds } = await runWapiti(`http://${leaky.host}`, [], [], 20)

  expect(finds.map(({ category }) => category)).toEqual(expect.arrayContaining(['Cross Site Scripting']))
})

test.for(sides)(
  'T13 T16 T18 wapiti finds nothing in $side',
  { timeout: 3_600_000 },
  async ({ reads, asker, pages }) => {
    await using product = await startScanServer()
    const requests = await Promise.all(reads.map((call) => product.requestFor(call, null, asker)))

    const { finds, output } = await runWapiti(
      product.url,
      [...pages, ...requests.map(({ url }) => url)].map((path) => product.url + path),
      [`Authorization: Bearer ${requests[0]?.token}`],
      Number(process.env.SCAN_SECONDS ?? 60),
    )

    console.log(output.match(/Launching module \w+|Max .*/g)?.join(', '), 'answers', await product.answered('*'))
    expect(finds.filter(({ info }) => !notMissed.includes(info))).toEqual([])
    const asked = await Promise.all(
      reads.map(async ({ name, path }) => ({ name, answered: await product.answered(path) })),
    )
    expect(asked.filter(({ answered }) => !answered[200])).toEqual([])
    expect(Object.keys(await product.answered('*')).filter(isTrouble)).toEqual([])
  },
)
