import type { Page } from '@playwright/test'
import { listReportInCards, type ReportInCard } from '#features/duty/calls/report-in.ts'
import { getFloorData } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, listEventSites } from '#features/events/calls/events.ts'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { signIn, strangerOf } from '../rig/api.ts'
import { importHostileOrganisation, peepCanary } from './support/hostile-organisation.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { expect, signInOn, test } from './support/test.ts'
import { watchForScripts } from './support/watch-for-scripts.ts'

/** Every page that shows what someone wrote and has an address of its own; `EVACUEE` and `ASSIGNMENT` stand for theirs. */
const pages = [
  ...['/reportinlist', '/reportin', '/warden-assignment/ASSIGNMENT', '/withdraw/ASSIGNMENT', '/documents/ASSIGNMENT'],
  ...['/event/management', '/floor/warden/status', '/warden/onduty', '/floor/evacuation', '/building/status'],
  ...['/evacuee/safety', '/floor/evacstatus', '/message/evacuee/EVACUEE', '/message/all', '/me/role'],
  ...['/simulator?mobile=61491600000', '/<img src=x onerror=alert(1)>'],
]

/** What stands on the page, whatever draws it: text, the values of fields, and labels. */
const contentOf = (page: Page) =>
  page.evaluate(() =>
    [
      document.body.textContent,
      ...Array.from(document.querySelectorAll('input, textarea'), (field) => (field as HTMLInputElement).value),
      ...Array.from(document.querySelectorAll('[aria-label]'), (part) => part.getAttribute('aria-label')),
    ].join('\n'),
  )

/** Everything that the browser keeps for the app. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(String(name)))
      for (const store of database.objectStoreNames)
        kept.push(store, await done(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return JSON.stringify(kept)
  })

/** In the page: what pressing a button of this card leaves for the pages of its assignment. */
function keepDetails(card: ReportInCard) {
  const { Client_Site, Warden_Role, Assignment_Location, Date_From, Date_To, Warden_Assignment_UID } = card
  const reportInDetails = {
    clientSite: Client_Site,
    role: Warden_Role,
    area: Assignment_Location,
    dateFrom: Date_From,
    dateTo: Date_To,
  }
  const auth = JSON.parse(localStorage.auth)
  localStorage.auth = JSON.stringify({ ...auth, reportInDetails, reportInDetailsOf: Warden_Assignment_UID })
}

test('T13 T18 T21 two hundred hostile texts in every field and on every page: shown as they are, nothing runs, no PEEP is kept', {
  tag: '@long',
}, async ({ phone, product }) => {
  test.setTimeout(180_000)
  expect(hostileTexts.length).toBeGreaterThanOrEqual(200)
  const { chief } = await importHostileOrganisation(product, hostileTexts, `h${process.pid}`)
  const call = await signIn(product, chief)
  const { data } = await call(listEventSites, {})
  await call(createEvent, {
    body: {
      buildings: data.sites.flatMap(({ buildings }) => buildings.map(({ id }) => id)),
      eventType: data.eventTypes[0]?.id as never,
      message: hostileTexts[0] as string,
      broadcastMessage: 'no',
      alertToWarden: 'no',
    },
  })
  const floor = await call(getFloorData, {})
  if (!('persons' in floor)) throw new Error('no floor')
  const evacuee = floor.persons[0]?.id as never
  const phoneOfEvacuee = floor.persons[0]?.phone as string
  const reply = (text: string) =>
    strangerOf(product)(sendSimulatedReply, { body: { id: crypto.randomUUID(), mobile: phoneOfEvacuee, text } })
  for (const [n, text] of hostileTexts.entries()) {
    if (n % 2) await reply(text)
    else await call(sendToEvacuee, { body: { message: text, receiverId: evacuee, automated_response_message: 0 } })
  }

  const page = await phone()
  const seen = await watchForScripts(page)
  await signInOn(page, chief)
  const [card] = await call(listReportInCards, { query: { signInMethod: 'Email' } })
  const assignment = card?.Warden_Assignment_UID as string
  await page.evaluate(keepDetails, card as ReportInCard)
  const shown: Record<string, number> = {}
  for (const path of pages) {
    const address = path.replace('EVACUEE', evacuee).replace('ASSIGNMENT', assignment)
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    // a page that leads on to another would show that one's texts
    expect.soft(decodeURI(new URL(page.url()).pathname), path).toBe(address.split('?')[0])
    const content = await contentOf(page)
    shown[path] = hostileTexts.filter((text) => content.includes(text)).length
    const { width, hit } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      hit: 'hit' in window,
    }))
    expect.soft({ width, hit }, path).toEqual({ width: 390, hit: false })
    expect.soft(seen, path).toEqual([])
  }

  // the thread holds them all, and no page leaves out what it is about; a reply without a visible sign reads 'Empty text.'
  const empty = hostileTexts.filter((text, n) => n % 2 && !/[^\p{C}\p{Z}\p{M}\s]/u.test(text)).length
  expect(empty).toBeLessThanOrEqual(1)
  expect(shown['/message/evacuee/EVACUEE']).toBe(hostileTexts.length - empty)
  expect(Object.entries(shown).filter(([, count]) => count === 0)).toEqual([])
  const kept = await keptIn(page)
  expect(kept.length).toBeGreaterThan(10_000)
  expect(kept).not.toContain(peepCanary)
})
