import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Page, TestInfo } from '@playwright/test'
import { makePack, noteHazard } from '#features/arrival-pack/calls.ts'
import { type FloorData, getFloorData, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { openEventPlan } from '#features/peeps/calls/plan-access.ts'
import { getReportCode } from '#features/self-report/calls.ts'
import { onDuty, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import type { Product } from '../rig/product.ts'
import { complaintsOf, lacks, outputOf, printOf, w3cComplaintsOf } from './support/outside-tools.ts'
import { test as base, expect } from './support/test.ts'

interface Opened {
  officer: Page
  /** The pack's own address, and the reader's. */
  start: string
  own: string
  /** The HTML of an address. */
  read: (address: string) => Promise<string>
}

/**
 * Opens a pack without script: two people are in danger, two plans are open, three hazards are noted. Beside four floors
 * there are so many blocks of 40, of which so many floors are not cleared.
 */
const test = base.extend<{ openPack: (blocks?: number, open?: number) => Promise<Opened> }>({
  openPack: async ({ product, phone }, use) =>
    use(async (blocks = 0, open = 0) => {
      const organisation = await importOrganisation(product, { blocks })
      const names = Array.from({ length: blocks }, (_, n) => `Block ${n + 1}`)
      const manager = await startEvent(product, organisation, ['Tower A', 'Tower B', ...names])
      const warden = await onDuty(product, organisation.floor1)
      const { persons, input } = (await warden(getFloorData, { query: {} })) as FloorData
      for (const { id } of persons.slice(2, 4))
        await warden(setPersonStatus, { body: { personId: id, status: 'danger', floorId: input.floor as never } })
      for (const text of ['Gas cylinders at the loading dock', 'Stair 2 is blocked', 'Water on level 1'])
        await manager(noteHazard, { body: { text } })
      await product.pool.query(
        `update event_floor ef set floor_status_uid = s.uid, observed_at = now(), updated_by_person_uid = p.uid
         from floor_status s, person p, (select f.uid, row_number() over (order by b.code, f.level) as nth from floor f
           join building b on b.uid = f.building_uid join site st on st.uid = b.site_uid where st.name = $1 and b.code like 'X%') f
         where f.uid = ef.floor_uid and s.client_uid = ef.client_uid and s.code = case when f.nth > $2 then 'DN' else 'EV' end
           and p.client_uid = ef.client_uid and p.email = $3`,
        [organisation.site, open, organisation.floor1],
      )
      const { url } = await manager(makePack, { body: { hours: 4, plans: 'yes' } })
      const officer = await phone({ javaScriptEnabled: false })
      await officer.goto(url)
      await officer.getByRole('button', { name: 'Open as fire service' }).click()
      await expect(officer.getByText('Refresh')).toBeVisible()
      return { officer, start: url, own: officer.url(), read: async (address) => (await fetch(address)).text() }
    }),
})

/** Adds what html-validate finds in each page to what the checker of the W3C finds in all of them. */
async function expectFaultless(pages: readonly string[], info: TestInfo) {
  const files = pages.map((page, nth) => {
    const file = info.outputPath(`${nth}.html`)
    writeFileSync(file, page)
    return file
  })
  expect(await Promise.all(pages.map(complaintsOf))).toEqual(pages.map(() => []))
  const without = lacks('java')
  // biome-ignore lint/suspicious/noSkippedTests: html-validate has found nothing, and Java need not be installed
  test.skip(without !== undefined, 'the checker of the W3C needs Java')
  expect(w3cComplaintsOf(files)).toEqual([])
}

/** Sends the form, if there is one, and returns the HTML. */
async function pageOf(address: string, form?: Record<string, string>): Promise<{ status: number; page: string }> {
  const answer = await fetch(address, { ...(form && { method: 'POST', body: new URLSearchParams(form) }) })
  return { status: answer.status, page: await answer.text() }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Addresses of the poster, of someone's own page, and of who has opened that person's plan. */
async function openReports(product: Product) {
  const organisation = await importOrganisation(product)
  const manager = await startEvent(product, organisation, ['Tower A'])
  const { rows } = await product.pool.query(
    `select v.client_uid as client, v.event_uid as event, v.uid as evacuee, v.person_uid as person, st.uid as site
     from site st join event e on e.client_uid = st.client_uid and e.site_uid = st.uid
     join evacuee v on v.client_uid = e.client_uid and v.event_uid = e.uid
     join peep on peep.client_uid = v.client_uid and peep.person_uid = v.person_uid and peep.active
     where st.name = $1 limit 1`,
    [organisation.site],
  )
  const { client, event, evacuee, person, site } = rows[0]
  const poster = (await manager(getReportCode, { query: { site } })).url
  await manager(openEventPlan, { params: { personId: person }, body: { reason: 'services', whole: 'no' } })
  const [link, notice] = [evacuee.replaceAll('-', '').slice(0, 16), `${person}`.slice(0, 22)]
  await product.pool.query(
    `insert into self_link (client_uid, evacuee_uid, uid, token_hash) values ($1, $2, gen_random_uuid(), $3)`,
    [client, evacuee, sha256(link)],
  )
  await product.pool.query(
    `update plan_notice set told_at = now(), how = 'mail', token_hash = $3, expires_at = now() + interval '1 day'
     where event_uid = $1 and person_uid = $2`,
    [event, person, sha256(notice)],
  )
  const at = (path: string) => new URL(path, product.url).href
  return { site, poster, link: at(`/s/${link}`), notice: at(`/v/${notice}`), unknown: at('/s/unknown1'), at }
}

const oneLine = (text: Buffer | string) => `${text}`.replace(/\s+/g, ' ')

test('PACK-08 html-validate finds nothing in any page, nor does the checker of the W3C', async ({ openPack }, info) => {
  const { start, own, read } = await openPack(6, 240)
  const building = /href="([^"]+)">.*Block 1/.exec(await read(own))?.[1]
  const addresses = [start, own, new URL(`${building}`, own).href, new URL('/p/unknown', own).href]
  const pages = await Promise.all(addresses.map(read))

  expect(pages[2]).toContain('Block 1</bdi>: floors not cleared')
  await expectFaultless(pages, info)
})

test('REC-21 REC-22 PEEP-08 nor in any state of the pages of reports and of opened plans', async ({
  product,
}, info) => {
  const { site, poster, link, notice, unknown, at } = await openReports(product)
  /** No more reports and wrong addresses of this network, in this minute and the next. */
  const spend = () =>
    product.pool.query(
      `insert into throttle (key, window_start, count)
       select distinct replace(key, '/safe/', says), date_trunc('minute', now()) + step * interval '1 minute', 1000
       from throttle, generate_series(0, 1) step, unnest(array['/safe/', '/help/']) says
       where key ~ '^(poster|address)/'
       on conflict (key, window_start) do update set count = excluded.count`,
    )
  const pages = [
    ...[await pageOf(poster), await pageOf(link), await pageOf(notice)],
    ...[
      await pageOf(poster, { say: 'safe', mobile: '' }),
      await pageOf(poster, { say: 'help', words: 'x'.repeat(101) }),
    ],
    ...[await pageOf(poster, { say: 'safe', name: '"><b>Kim</b>' }), await pageOf(link, { say: 'help' })],
    ...[await pageOf(link, { say: 'safe' }), await pageOf(unknown), await pageOf(at('/v/unknown'))],
  ]
  await spend()
  pages.push(await pageOf(poster, { say: 'safe', name: 'Kim Lee' }), await pageOf(poster, { say: 'help' }))
  pages.push(await pageOf(unknown))
  await product.pool.query('update self_report_page set open = false where site_uid = $1', [site])
  pages.push(await pageOf(poster))
  await product.pool.query(`delete from throttle where key ~ '^(poster|address)/'`)

  expect(pages.map(({ status, page }) => [status, /<h1>(.*?)<\/h1>/.exec(page)?.[1]?.replace(/<.*?>/g, '')])).toEqual([
    [200, expect.stringContaining('Wharf')],
    [200, expect.stringContaining('Wharf')],
    [200, 'Who opened your evacuation plan'],
    [422, expect.stringContaining('Wharf')],
    [422, 'Use plain text. Go back and write it again.'],
    [200, 'Thank you. A warden will read this.'],
    [200, expect.stringMatching(/^Thank you\. The wardens can see that you need help\./)],
    [200, 'Thank you. You are recorded as safe.'],
    [404, 'No event is running here.'],
    [410, 'This page is no longer available.'],
    [429, 'Please tell a warden.'],
    [429, 'Call 000 or tell a warden.'],
    [429, expect.stringMatching(/^Too many requests\. Try again in a minute\./)],
    [410, 'Please tell a warden.'],
  ])
  expect(pages[3]?.page).toContain('role="alert"')
  await expectFaultless(
    pages.map(({ page }) => page),
    info,
  )
})

test('PACK-04 PACK-08 the figures are in what w3m and lynx show of the page', async ({ openPack }) => {
  const without = lacks('w3m', 'lynx')
  // biome-ignore lint/suspicious/noSkippedTests: browsers for terminals need not be installed
  test.skip(without !== undefined, `needs the Debian package ${without}`)
  const { own } = await openPack()

  for (const shown of [outputOf('w3m', ['-dump', own]), outputOf('lynx', ['-dump', '-nolist', own])].map(oneLine)) {
    expect(shown).toMatch(/In command: Grace Chief, Chief Warden, \+61491\d{6}/)
    expect(shown).toMatch(/In danger 2 Unknown on floors not cleared 32 Need help 2 Floors cleared 0 of 4/)
    expect(shown).toMatch(/Gas cylinders at the loading dock Whole site Noted \d\d:\d\d by Grace Chief/)
    expect(shown).toMatch(/Tower A, Level 1 Amara Adeyemi 17 Recorded \d\d:\d\d by Oliver Level One, Floor Warden/)
    expect(shown).toContain('Evacuation chair and two helpers')
  }
})

test('REC-20 REC-21 w3m and lynx show the words and fields of both forms', async ({ product }) => {
  const without = lacks('w3m', 'lynx')
  // biome-ignore lint/suspicious/noSkippedTests: browsers for terminals need not be installed
  test.skip(without !== undefined, `needs the Debian package ${without}`)
  const { poster, link } = await openReports(product)
  const shownOf = (address: string) =>
    [outputOf('w3m', ['-dump', address]), outputOf('lynx', ['-dump', '-nolist', address])].map(oneLine)

  const help =
    /I need help If you can, call 000, too\. You may leave all of this empty\. Where are you\? \[.*Choose.*\] Anything that helps to find you/
  for (const shown of shownOf(poster)) {
    expect(shown).toMatch(/Wharf \w+ Fire I am safe I need help I am safe Give your name or your mobile number\. Name/)
    expect(shown).toMatch(/Name [[_].* Mobile number [[_].* Your floor \[.*Choose.*\] .*Send.* I need help/)
    expect(shown).toMatch(help)
  }
  for (const shown of shownOf(link)) {
    expect(shown).toMatch(/Wharf \w+ Fire .*I am safe.* I need help I need help/)
    expect(shown).toMatch(help)
    expect(shown).not.toMatch(/Name|Mobile number/)
    expect(shown.match(/Send/g)).toHaveLength(1)
  }
})

test('PACK-08 PACK-10 a school prints on one sheet, 124 floors on three, 1,004 on nine, all below 100 kB', async ({
  openPack,
}, info) => {
  const without = lacks('pdfinfo', 'pdftotext')
  // biome-ignore lint/suspicious/noSkippedTests: programs that read PDFs need not be installed
  test.skip(without !== undefined, 'needs the Debian package poppler-utils')
  const most: [blocks: number, open: number, sheets: number][] = [
    [0, 0, 1],
    [3, 120, 3],
    [25, 196, 9],
    [25, 1000, 9],
  ]
  for (const [blocks, open, sheets] of most) {
    const { officer, own, read } = await openPack(blocks, open)
    const name = `${blocks * 40 + 4} floors, ${open + 4} not cleared`
    const file = info.outputPath(`${name}.pdf`)
    writeFileSync(file, await printOf(officer))

    const told = `${outputOf('pdfinfo', [file])}`
    expect(Number(/Pages: +(\d+)/.exec(told)?.[1]), name).toBeLessThanOrEqual(sheets)
    expect(told, name).toMatch(/Page size: .*A4/)
    expect(Buffer.byteLength(await read(own)), name).toBeLessThan(100_000)
    const first = oneLine(outputOf('pdftotext', ['-l', '1', '-layout', file, '-']))
    for (const words of [
      'In command: Grace Chief',
      'Stair 2 is blocked',
      'Need help',
      'Amara Adeyemi 17',
      'Unknown is not safe.',
    ])
      expect(first, name).toContain(words)
  }
})
