import { writeFileSync } from 'node:fs'
import { makePack, noteHazard } from '@evac/contract/calls/arrival/arrival-pack.ts'
import { type FloorData, getFloorData, setPersonStatus } from '@evac/contract/calls/evacuation.ts'
import type { Page } from '@playwright/test'
import { onDuty, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
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
      await expect(officer.getByText('Read again')).toBeVisible()
      return { officer, start: url, own: officer.url(), read: async (address) => (await fetch(address)).text() }
    }),
})
const oneLine = (text: Buffer | string) => `${text}`.replace(/\s+/g, ' ')

test('PACK-08 html-validate finds nothing in any page, nor does the checker of the W3C', async ({ openPack }, info) => {
  const { start, own, read } = await openPack(6, 240)
  const building = /href="([^"]+)">.*Block 1/.exec(await read(own))?.[1]
  const addresses = [start, own, new URL(`${building}`, own).href, new URL('/p/unknown', own).href]
  const pages = await Promise.all(addresses.map(read))
  const files = pages.map((page, nth) => {
    const file = info.outputPath(`${nth}.html`)
    writeFileSync(file, page)
    return file
  })

  expect(pages[2]).toContain('Block 1</bdi>: floors not cleared')
  expect(await Promise.all(pages.map(complaintsOf))).toEqual([[], [], [], []])
  const without = lacks('java')
  // biome-ignore lint/suspicious/noSkippedTests: html-validate has found nothing, and Java need not be installed
  test.skip(without !== undefined, 'the checker of the W3C needs Java')
  expect(w3cComplaintsOf(files)).toEqual([])
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
