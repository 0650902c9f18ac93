import { expect } from 'vitest'
import { textOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { getBoard } from '#features/board/calls/board.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { networkOf } from '#server/platform/network.ts'
import { endInput } from '#server/testing/event-input.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { getReportCode, makeReportCode, openReportPage } from '../calls.ts'
import { eventWithReports, newNetwork, newSite } from './self-report.fixture.ts'

/** A minute's share. A loaded machine may take more than a minute to send them all, and the next share begins. */
const oneShare = (share: number) => (taken: number) => taken >= share && taken <= 2 * share

const thanks = /^Thank you\. A warden will read this\. .*No signal\? Tell a warden\.$/

test('REC-26 REC-29 a poster changes no status; a known and an unknown name get the same words; two presses are one', async ({
  server,
}) => {
  const { visitor, code, ada, statusOf, mobiles, org, list } = await eventWithReports(server)
  const opened = await visitor.get(`/s/${code.toUpperCase()}`)
  expect(textOf(opened.body)).toMatch(/I am safe I need help I am safe .* Your floor .* Send I need help .* Send$/)
  expect(opened.body).not.toContain('Abara')
  const form = /name="form" value="([\w-]{22})"/.exec(opened.body)?.[1] ?? ''
  const place = org.floorUid.slice(0, 8)

  const known = { say: 'safe', form, place, name: ' Ada   Abara ', mobile: '' }
  const answers = [
    ...(await Promise.all([1, 2, 3].map(() => visitor.post(`/s/${code}`, known)))),
    await visitor.post(`/s/${code}`, { say: 'safe', name: 'Nobody Known' }),
    await visitor.post(`/s/${code}`, { say: 'help', mobile: `+${mobiles[0]}`, words: '\u202Egnp 🔥' }),
  ]

  expect(new Set(answers.map(({ status, body }) => [status, body].join()))).toHaveProperty('size', 1)
  expect(textOf(answers[0]?.body ?? '')).toMatch(thanks)
  expect(await statusOf(ada)).toBe('unknown')
  const { reports, open, help } = await list()
  expect([open, help]).toEqual([3, 1])
  expect(reports).toMatchObject([
    { way: 'poster', says: 'help', mobile: mobiles[0], words: '\u202Egnp 🔥', person: { id: ada } },
    { says: 'safe', name: 'Ada Abara', floor: { id: org.floorUid }, person: { id: ada, status: 'unknown' } },
    { says: 'safe', name: 'Nobody Known', person: null },
  ])
})

test('REC-21 safe by poster needs a name or a mobile: the form comes back with what was written', async ({
  server,
}) => {
  const { visitor, code, org, list } = await eventWithReports(server)
  const place = org.floors[1].slice(0, 8)

  const { status, body } = await visitor.post(`/s/${code}`, { say: 'safe', form: 'mine', place, name: ' ' })

  expect(status).toBe(422)
  expect(body).toContain('role="alert">Give your name or your mobile number.')
  expect(body).toContain(`value="${place}" selected`)
  expect(body).toContain('value="mine"')
  expect((await list()).open).toBe(0)
  const wrong = [
    await visitor.post(`/s/${code}`, { say: 'perhaps' }),
    await visitor.post(`/s/${code}`, { say: 'help', words: 'a\u0000b' }),
    await visitor.post(`/s/${code}`, { say: 'help', words: 'x'.repeat(101) }),
    await visitor.post(`/s/${code}`, { say: 'help', place: crypto.randomUUID() }),
  ]
  expect(wrong.map((answer) => answer.status)).toEqual([422, 422, 422, 404])
  expect((await list()).open).toBe(0)
})

test('REC-22 the number is that of the country', async ({ server }) => {
  for (const [country, number] of [
    ['AU', '000'],
    ['NZ', '111'],
    ['US', '911'],
    ['UK', '999'],
  ] as const) {
    const { linkOf, ada, mobiles, visitor } = await eventWithReports(server, { country })
    const { path } = await linkOf(ada, mobiles[0])
    expect(textOf((await visitor.post(path, { say: 'help' })).body)).toContain(`If you can, call ${number}. `)
  }
})

test('REC-30 a closed poster page takes nothing, personal links go on; a new code ends old posters', async ({
  server,
}) => {
  const { visitor, code, manager, asFay, org, linkOf, ada, mobiles, list, statusOf, eventUid } =
    await eventWithReports(server)
  const { path } = await linkOf(ada, mobiles[0])
  const close = (open: 'yes' | 'no') => manager(openReportPage, { body: { open } }, withKey())

  expect(await close('no')).toEqual({ open: false })
  const closed = [await visitor.get(`/s/${code}`), await visitor.post(`/s/${code}`, { say: 'help' })]
  expect(closed.map(({ status, body }) => [status, body.includes('Please tell a warden.')])).toEqual([
    [410, true],
    [410, true],
  ])
  expect(await list()).toMatchObject({ open: 0, page_open: false })
  await visitor.post(path, { say: 'safe' })
  expect(await statusOf(ada)).toBe('safe')
  expect(await close('yes')).toEqual({ open: true })
  expect((await visitor.get(`/s/${code}`)).status).toBe(200)

  const site = { site: org.siteUid }
  const anew = await manager(makeReportCode, { body: site }, withKey())
  expect(anew.code).not.toBe(code)
  expect(anew).toEqual({
    site: { id: org.siteUid, name: org.siteName },
    code: anew.code,
    open: true,
    url: `${server.config.appUrl}/s/${anew.code}`,
  })
  expect(await manager(getReportCode, { query: site })).toEqual(anew)
  expect([(await visitor.get(`/s/${code}`)).status, (await visitor.get(`/s/${anew.code}`)).status]).toEqual([404, 200])
  expect(await refused(asFay(openReportPage, { body: { open: 'no' } }), asFay(makeReportCode, { body: site }))).toEqual(
    ['forbidden', 'forbidden'],
  )
  const told = (await server.journalOf(org.siteUid)).filter(({ action }) => action === 'report_page_changed')
  expect(told.map(({ after, eventUid: of }) => [after, of])).toEqual(
    [{ made: true }, { open: false }, { open: true }, { made: true }].map((after) => [after, eventUid]),
  )
  expect(JSON.stringify(told)).not.toContain(anew.code)
})

test('REC-20 many who open the poster of a site at once read one code', async ({ server }) => {
  const org = await server.given.organisation()
  const chief = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))

  const codes = await Promise.all(
    Array.from({ length: 12 }, async () => (await chief(getReportCode, { query: { site: org.siteUid } })).code),
  )

  expect(codes[0]).toMatch(/^[a-hjkmnp-z2-9]{8}$/)
  expect(new Set(codes).size).toBe(1)
})

test('REC-23 T46 an unknown code, an ended event and a foreign one are one answer', async ({ server }) => {
  const { visitor, code, manager, org } = await eventWithReports(server)
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  const answers = [
    await visitor.get(`/s/${code}`),
    await visitor.post(`/s/${code}`, { say: 'help' }),
    ...(await Promise.all(['zzzzzzzz', 'x', 'A'.repeat(16), 'a'.repeat(22)].map((of) => visitor.get(`/s/${of}`)))),
  ]

  expect(new Set(answers.map(({ status, body }) => [status, body].join()))).toHaveProperty('size', 1)
  expect([answers[0]?.status, textOf(answers[0]?.body ?? '')]).toEqual([
    404,
    expect.stringMatching(/^No event is running here\./),
  ])
})

test('T46 REC-26 2,000 posts of one network leave every number of people as it was, and few of them stand in a list', {
  tags: 'long',
  timeout: 120_000,
}, async ({ server }) => {
  const { post, manager, list } = await eventWithReports(server)
  const numbers = async () => {
    const board = await manager(getBoard, { query: {} })
    if (!('totals' in board)) throw new Error('no board')
    const { calls: _, ...totals } = board.totals
    return totals
  }
  const before = await numbers()
  const flooder = newNetwork()
  const began = Date.now()

  const statuses: number[] = []
  for (let sent = 0; sent < 2000; sent += 100)
    statuses.push(
      ...(await Promise.all(
        Array.from(
          { length: 100 },
          async (_, nth) =>
            (
              await post({ say: nth % 2 ? 'help' : 'safe', name: 'Ada Abara', form: `${sent}-${nth}` }, flooder)
            ).status,
        ),
      )),
    )

  const { open, help, groups } = await list()
  expect(statuses.filter((status) => status === 200)).toHaveLength(open)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2000 - open)
  // 60 "safe" a minute of an address that a building may share
  const minutes = 1 + Math.ceil((Date.now() - began) / 60_000)
  expect(open - help).toBeGreaterThanOrEqual(60)
  expect(open - help).toBeLessThanOrEqual(60 * minutes)
  expect(groups).toMatchObject([{ count: open, help, more: 1000 - help }])
  expect(await numbers()).toEqual(before)
  expect((await post({ say: 'help' })).status).toBe(200)
})

test('NET-01 REC-31 where everyone on one Wi-Fi says that they are safe, a call for help is taken; a forgotten name counts for nothing', async ({
  server,
}) => {
  const { post, list, linkOf, ada, mobiles, visitor, statusOf } = await eventWithReports(server)
  const [wifi, neighbour] = ['192.0.2.7', '192.0.2.8']
  const all = (count: number, form: Record<string, string>) =>
    Promise.all(Array.from({ length: count }, () => post(form, wifi)))

  const forgotten = await all(70, { say: 'safe' })
  const named = await all(130, { say: 'safe', name: 'Someone' })
  const call = await post({ say: 'help', words: 'Lift 2' }, wifi)

  expect(new Set(forgotten.map(({ status }) => status))).toEqual(new Set([422]))
  expect(named.filter(({ status }) => status === 200).length).toSatisfy(oneShare(60))
  expect(named.find(({ status }) => status === 429)?.body).toContain('call 000')
  expect(call.status).toBe(200)
  expect((await list()).help).toBe(1)
  // a flood of calls uses up its own line, not that of its neighbour
  await all(500, { say: 'help' })
  expect((await post({ say: 'help', words: 'Lift 3' }, neighbour)).status).toBe(200)

  const { path } = await linkOf(ada, mobiles[0])
  for (let nth = 0; nth < 25; nth++) await visitor.post(path, { say: 'safe', form: `press-${nth}` })
  expect((await visitor.post(path, { say: 'help' })).status).toBe(200)
  expect(await statusOf(ada)).toBe('danger')
})

test('NET-01 T46 600 lines of one site at once are one entry, further calls are counted, and a call from elsewhere is taken', {
  timeout: 120_000,
}, async ({ server }) => {
  const { post, list, dismissAll, eventUid } = await eventWithReports(server)
  const addressOf = newSite()
  const flood = (form: Record<string, string>) =>
    Promise.all(Array.from({ length: 600 }, (_, line) => post(form, addressOf((line * 257) & 0xffff))))

  const safe = await flood({ say: 'safe', name: 'Ada Abara' })
  const calls = await flood({ say: 'help', words: 'Here' })
  const elsewhere = await post({ say: 'help', words: 'Stair B' }, newSite()(1))

  const taken = (answers: typeof safe) => answers.filter(({ status }) => status === 200).length
  expect(taken(safe)).toSatisfy(oneShare(40))
  expect(taken(calls)).toSatisfy(oneShare(240))
  const counted = calls.find(({ status }) => status === 429)?.body ?? ''
  expect(textOf(counted)).toMatch(/Call 000 or tell a warden\. .* The wardens can see that there are more/)
  expect(elsewhere.status).toBe(200)
  const { reports, groups, open } = await list()
  expect(reports).toMatchObject([{ words: 'Stair B' }])
  // a loaded machine may not come to all of them
  const more = calls.filter(({ status }) => status === 429).length
  expect(calls.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([])
  expect(more).toBeGreaterThan(0)
  expect(groups).toMatchObject([{ count: open - 1, help: taken(calls), more }])
  expect(JSON.stringify(groups)).not.toContain('2001')
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'calls_for_help_counted')
  expect([1, 2]).toContain(told.length)

  // what was counted since the warden looked stays
  const network = groups[0]?.network as string
  await dismissAll({ calls: 'keep', network, more: more - 1 })
  expect((await list()).groups).toMatchObject([{ count: taken(calls), help: taken(calls), more: 1, naming: 0 }])
  await dismissAll({ calls: 'false', network, more: 5 })
  expect(await list()).toMatchObject({ open: 1, help: 1, groups: [] })
})

test('NET-01 T46 an event takes 5,000 open reports that say safe, however many come at once, then three of each site, and still each call for help', async ({
  server,
}) => {
  const { post, fill, list, linkOf, ada, mobiles, visitor, statusOf } = await eventWithReports(server)
  await fill(5000, { state: "'dismissed'" })
  await fill(4995)
  const sayFrom = (addressOf: (line: number) => string) =>
    Promise.all(
      Array.from({ length: 12 }, (_, line) => post({ say: 'safe', name: `Late ${line}` }, addressOf(line * 300))),
    )

  const answers = await sayFrom(newSite())

  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  expect(textOf(answers.find(({ status }) => status === 429)?.body ?? '')).toContain(
    'Please tell a warden. Too many reports are coming in. Yours has not been recorded. If you are in danger, call 000.',
  )
  const further = await sayFrom(newSite())
  expect(further.map(({ status }) => status).toSorted()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)])
  expect((await post({ say: 'help', words: 'Lift 2' })).status).toBe(200)
  const began = performance.now()
  expect(await list()).toMatchObject({ open: 5004, help: 1, reports: [{ words: 'Lift 2' }, ...Array(19).fill({})] })
  expect(performance.now() - began).toBeLessThan(3000)
  const { path } = await linkOf(ada, mobiles[0])
  await visitor.post(path, { say: 'help' })
  expect(await statusOf(ada)).toBe('danger')
  await fill(15_000)
  expect((await post({ say: 'safe', name: 'Too late' })).status).toBe(429)
})

test('NET-01 REC-33 one site fills a fifth of an event at most, whatever it says, and keeps no one else from reporting', async ({
  server,
}) => {
  const { post, fill, list } = await eventWithReports(server)
  const [addressOf, elsewhere] = [newSite(), newSite()]
  const site = `'${networkOf({ ip: addressOf(1) }).site}'`
  for (const status of ["'safe'", "'help'"]) await fill(1000, { status, network: "'n' || i", site })

  const safe = await post({ say: 'safe', name: 'Kim Lee' }, addressOf(1))
  const help = await post({ say: 'help' }, addressOf(1))

  expect([safe.status, help.status]).toEqual([429, 429])
  expect(textOf(safe.body)).toContain('Yours has not been recorded.')
  expect(textOf(help.body)).toContain('Call 000 or tell a warden.')
  for (const line of [1, 300, 600, 900]) {
    expect((await post({ say: 'safe', name: 'Kim Lee' }, elsewhere(line))).status).toBe(200)
    expect((await post({ say: 'help' }, elsewhere(line))).status).toBe(200)
  }
  expect(await list()).toMatchObject({ open: 2008, groups: [{ count: 2000, more: 1 }] })
})

test('NET-01 above 5,000 open calls for help three of each site are taken, of many at once, to 20,000; the others are counted', async ({
  server,
}) => {
  const { post, fill, list } = await eventWithReports(server)
  await fill(5000, { status: "'help'" })
  const callFrom = (addressOf: (line: number) => string) =>
    Promise.all(Array.from({ length: 8 }, (_, line) => post({ say: 'help' }, addressOf(line * 300))))
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted()

  expect(statusesOf(await callFrom(newSite()))).toEqual([...Array(3).fill(200), ...Array(5).fill(429)])
  expect(statusesOf(await callFrom(newSite()))).toEqual([...Array(3).fill(200), ...Array(5).fill(429)])
  expect(await list()).toMatchObject({
    help: 5006,
    groups: [
      { count: 3, more: 5 },
      { count: 3, more: 5 },
    ],
  })
  await fill(15_000, { status: "'help'" })
  expect(statusesOf(await callFrom(newSite()))).toEqual(Array(8).fill(429))
  expect((await list()).groups).toMatchObject([{ count: 0, more: 8 }, {}, {}])
})
