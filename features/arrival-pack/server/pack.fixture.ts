import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { PersonUid } from '#kernel/ids.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { makePack } from '../calls.ts'

/** A visit without session, script or cookie. */
export function visitorOf(server: TestServer, remoteAddress = '203.0.113.7') {
  const ask = async (method: 'GET' | 'POST', url: string, form?: Record<string, string>) => {
    const response = await server.app.inject({
      method,
      url,
      remoteAddress,
      ...(form && {
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })
    return { status: response.statusCode, body: response.body, headers: response.headers }
  }
  return {
    get: (url: string) => ask('GET', url),
    post: (url: string, form: Record<string, string> = {}) => ask('POST', url, form),
  }
}

type VisitedPage = Awaited<ReturnType<ReturnType<typeof visitorOf>['get']>>

/** T43: the page allows its own style and form alone, has no script, and is in no frame, index, cache or referrer. */
export function expectSealed({ body, headers }: VisitedPage) {
  const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  )
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-frame-options': 'DENY',
    'cache-control': 'private, no-cache',
  })
  expect(headers).not.toHaveProperty('set-cookie')
  expect(body).not.toMatch(/<script|<img|<link|@import|url\(| style=| on\w+=/)
}

/** A running event with a pack, and how strangers open it. */
export async function eventWithPack(
  server: TestServer,
  { kind = 'live' }: { kind?: 'live' | 'drill' } = {},
  before: (org: Organisation) => Promise<PersonUid[]> = async () => [],
) {
  const made = await server.given.organisation()
  const org = { ...made, people: await before(made) }
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid], kind })
  const make = (over: Partial<{ hours: number; plans: 'yes' | 'no' }> = {}) =>
    running.manager(makePack, { body: { hours: 4, plans: 'yes' as const, ...over } }, withKey())
  const visitor = visitorOf(server)
  const pathOf = (url: string) => new URL(url).pathname
  /** Opens the pack under a name. Returns the reader's own address. */
  const enter = async (url: string, name = '') => String((await visitor.post(pathOf(url), { name })).headers.location)
  const read = async (url: string) => (await visitor.get(await enter(url))).body
  return { org, ...running, make, visitor, pathOf, enter, read }
}

/** What is read of a page: its text without tags, in one line. */
export const textOf = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>|<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<\/?bdi>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()

/** The same with Ada and Bea on the ground floor, Cy on level 1, and someone in Tower B; the second status means clear. */
export async function eventWithPeople(server: TestServer, over: { kind?: 'live' | 'drill' } = {}) {
  const { occupant, warden } = server.given
  let floorWarden!: Warden
  const around = await eventWithPack(server, over, async (org) => {
    const people = [
      await occupant(org, { firstName: 'Ada', lastName: 'Abara' }),
      await occupant(org, { firstName: 'Bea', lastName: 'Abara' }),
      await occupant(org, { firstName: 'Cy', lastName: 'Abara', floorUid: org.floors[1] }),
      await occupant(org, { firstName: 'Di', lastName: 'Abara' }),
    ]
    floorWarden = await warden(org, { firstName: 'Fay' })
    await server.db.updateTable('floorStatus').set({ meansClear: true }).where('uid', '=', org.statusUids[1]).execute()
    return people
  })
  return { ...around, warden: await server.onDuty(floorWarden) }
}
