import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { concludeEvent, startEvent } from '../rig/api.ts'
import { lacks, outputOf, readQrCode } from './support/outside-tools.ts'
import { picture, snapshot } from './support/pictures.ts'
import { card, expect, expectAccessible, openFloorOn, press, reportInOn, signInOn, test } from './support/test.ts'

const desk = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

/** What a reader without script sees: axe needs one, its page does not. */
async function expectPlainAccessible(reader: Page, what: string) {
  for (const [colorScheme, rules] of [
    ['dark', 'all'],
    ['light', 'contrast'],
  ] as const) {
    await reader.emulateMedia({ colorScheme })
    await expectAccessible(reader, `${what}, ${colorScheme}`, rules)
  }
}

test('REC-20 REC-21 REC-26 REC-27 REC-28 REC-30 by the poster and without script: a report changes nothing until it is accepted, a call for help stands on the open board until someone goes', async ({
  browser,
  organisation,
  phone,
  product,
}, info) => {
  test.setTimeout(180_000)
  await startEvent(product, organisation)
  const [chief, manager] = [await phone({ viewport: desk }), await phone()]
  await signInOn(chief, organisation.chief)
  await chief.goto('/event/board')
  await signInOn(manager, organisation.deputy)
  await reportInOn(manager)

  // the poster leads to its page
  await manager.goto('/event/poster')
  await expect(manager.getByRole('img', { name: 'QR code of the self-report page' })).toBeVisible()
  await picture(manager, 'self-report-poster', { matrix: true })
  // what other pages print comes along once the phone has read them ahead
  const hasOtherSheets = () =>
    document.adoptedStyleSheets.some(({ cssRules }) =>
      [...cssRules].some((rule) => rule instanceof CSSPageRule && rule.selectorText === 'record'),
    )
  await expect.poll(() => manager.evaluate(hasOtherSheets), { timeout: 30_000 }).toBe(true)
  await manager.emulateMedia({ colorScheme: 'dark' })
  const sheet = await manager.pdf({ preferCSSPageSize: true })
  await manager.emulateMedia({ colorScheme: null })
  writeFileSync(info.outputPath('poster.pdf'), sheet)
  expect(sheet.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  // the Debian package poppler-utils reads the sheet
  if (!lacks('pdftotext')) {
    const printed = `${outputOf('pdftotext', ['-layout', info.outputPath('poster.pdf'), '-'])}`
    expect(printed).toContain('say that you are')
    expect(printed, 'the numbers of sheets of a record').not.toContain('1 of 1')
  }
  const typed = await manager.locator('.poster-address').textContent()
  const path = `/${(typed ?? '').split('/').slice(-2).join('/')}`
  expect(path).toMatch(/^\/s\/\w{8}$/)
  // a phone that scans the screen or the sheet gets there
  const address = new URL(path, product.url).href
  await manager.getByRole('img', { name: 'QR code of the self-report page' }).scrollIntoViewIfNeeded()
  expect(await readQrCode(browser, await manager.screenshot())).toBe(address)
  if (lacks('pdftoppm') === undefined) {
    const scanned = outputOf('pdftoppm', ['-png', '-singlefile', '-r', '110', '-'], sheet)
    expect(await readQrCode(browser, scanned)).toBe(address)
  }

  // someone unknown says safe: nothing changes
  const stranger = await phone({ javaScriptEnabled: false })
  await stranger.goto(path)
  await expect(stranger.getByRole('heading', { name: organisation.site })).toBeVisible()
  await snapshot(stranger, 'self-report-opened')
  await stranger.getByRole('link', { name: 'I am safe' }).click()
  await stranger
    .locator('#safe')
    .getByLabel('Mobile number')
    .fill(`+${organisation.occupantMobile(1)}`)
  await snapshot(stranger, 'self-report-safe')
  await stranger.locator('#safe').getByRole('button', { name: 'Send' }).click()
  await expect(stranger.getByText('Thank you. A warden will read this.')).toBeVisible()
  await expect(stranger.getByText('No signal? Tell a warden.')).toBeVisible()

  await manager.goto('/event/people?tab=reports')
  const report = manager.getByRole('list', { name: 'Open reports' }).getByRole('listitem')
  await expect(report).toContainText(/Says safe.*Bruno Castillo 02.*Unknown/s)
  const safe = chief.getByRole('region', { name: 'Totals' }).locator('.bd-is-safe .bd-count')
  await expect(safe).toHaveText('0')
  await picture(manager, 'self-reports', { matrix: true, tight: true })

  // until a warden accepts it
  await manager.getByRole('button', { name: /^Accept: / }).click()
  await expect(manager.getByText('Recorded. Bruno Castillo 02')).toBeVisible()
  await expect(safe).toHaveText('1')

  // a call for help: on the open board, said, a need, and in no count of people
  await stranger.goto(path)
  await stranger.getByRole('link', { name: 'I need help' }).click()
  await stranger.locator('#help').getByLabel('Where are you?').selectOption('Level 2')
  await stranger.locator('#help').getByLabel('Anything that helps to find you').fill('Stair B, <b>door</b> jammed')
  await snapshot(stranger, 'self-report-help')
  await stranger.locator('#help').getByRole('button', { name: 'Send' }).click()
  await expect(stranger.getByText('Thank you. A warden will read this.')).toBeVisible()
  await snapshot(stranger, 'self-report-thanks')
  const needs = chief.getByRole('region', { name: /^Needs you/ })
  await expect(needs.getByText(/^Call for help, \d\d:\d\d$/)).toBeVisible({ timeout: 5000 })
  await expect(chief.locator('[data-board-news]')).toHaveText('New call for help, Tower A · Level 2')
  await expect(chief.getByText('+ 1 call for help')).toBeVisible()
  await expect(chief.locator('.bd-total').first().locator('.bd-count')).toHaveText('0')
  await needs.getByRole('button', { name: /Level 2.*Call for help/ }).click()
  await expect(chief.getByRole('list', { name: 'Calls for help' })).toContainText('“Stair B, <b>door</b> jammed”')
  await expectAccessible(chief, 'the board with a call for help')
  await snapshot(chief, 'board-call-for-help')

  // 'Answer' opens the call itself; it is answered with who goes, and leaves the board
  await needs.getByRole('link', { name: 'Answer' }).click()
  await chief.getByLabel('Who is going there').fill('Engine 4')
  await chief.getByRole('dialog').getByRole('button', { name: 'Answered' }).click()
  await expect(chief.getByText('Answered: Engine 4')).toBeVisible()
  await chief.goto('/event/board')
  await expect(chief.getByRole('region', { name: 'Totals' })).toBeVisible()
  await expect(chief.getByText('on 0 floors').first()).toBeVisible()
  await expect(needs.getByText(/^Call for help/)).toHaveCount(0)

  // each state of the page is accessible on a phone
  const reader = await phone({ viewport: narrow })
  await reader.goto(path)
  await reader.getByRole('link', { name: 'I need help' }).click()
  await expectPlainAccessible(reader, 'the form of help')
  await reader.getByRole('link', { name: 'I am safe' }).click()
  await expectPlainAccessible(reader, 'the form of the poster')
  await reader.locator('#safe').getByRole('button', { name: 'Send' }).click()
  await expect(reader.getByRole('alert')).toHaveText('Give your name or your mobile number.')
  await expectPlainAccessible(reader, 'the form that asks again')
  await reader.locator('#safe').getByLabel('Name').fill('Kim Lee')
  await reader.locator('#safe').getByRole('button', { name: 'Send' }).click()
  await expect(reader.getByText('Thank you. A warden will read this.')).toBeVisible()
  await expectPlainAccessible(reader, 'the answer')

  // closed, the page takes nothing
  await manager.goto('/event/poster')
  await press(manager, 'Close the poster page')
  await expect(manager.getByRole('button', { name: 'Open the poster page' })).toBeVisible()
  await stranger.goto(path)
  await expect(stranger.getByText('Please tell a warden.')).toBeVisible()
  await reader.goto(path)
  await expectPlainAccessible(reader, 'the closed page of the poster')
})

test('REC-20 REC-22 REC-23 REC-24 by the link of a text: the own page says safe, unverified, and ends with the event', async ({
  organisation,
  phone,
  product,
}) => {
  const manager = await startEvent(product, organisation)
  const chief = await phone()
  await openFloorOn(chief, organisation.floor1)
  const occupant = card(chief, 'Bruno Castillo 02')
  await occupant.getByRole('link', { name: /^Message/ }).click()
  await chief.getByRole('textbox', { name: 'Message' }).fill('Tell us how you are:')
  await press(chief, 'Own page')
  await snapshot(chief, 'message-own-page')
  await expectAccessible(chief, 'a message with a link')
  await press(chief, 'Send')
  await expect(chief.getByRole('log').getByText('Tell us how you are: {link}')).toBeVisible()

  const simulator = await phone()
  await simulator.goto(`/simulator?mobile=${organisation.occupantMobile(1)}`)
  const link = await simulator.getByRole('link', { name: /\/s\/[\w-]{16}$/ }).getAttribute('href')
  const path = new URL(link ?? '', product.url).pathname

  // a preview opens it, which changes nothing
  const reader = await phone({ viewport: narrow })
  await reader.goto(path)
  await expect(reader.getByRole('button', { name: 'I am safe' })).toBeVisible()
  await expectPlainAccessible(reader, 'the own page')
  await chief.getByRole('button', { name: 'Back' }).click()
  await expect(occupant.getByRole('button', { name: /Unknown/ })).toBeVisible()

  const own = await phone({ javaScriptEnabled: false })
  await own.goto(path)
  await snapshot(own, 'own-page')
  await own.getByRole('button', { name: 'I am safe' }).click()
  await expect(own.getByText('Thank you. You are recorded as safe.')).toBeVisible()
  await expect(occupant.getByRole('button', { name: /Safe/ })).toBeVisible()
  await expect(occupant).toContainText('own page, unverified')
  await snapshot(chief, 'own-page-on-floor')

  await concludeEvent(manager)
  await own.goto(path)
  await expect(own.getByText('No event is running here.')).toBeVisible()
  await reader.goto(path)
  await expectPlainAccessible(reader, 'no event')
})
