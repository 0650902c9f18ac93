import { visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import type { FloorUid, PersonUid, SelfReportUid } from '#kernel/ids.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { acceptReports, dismissReports, getReportCode, handleReport, listReports } from '../calls.ts'
import type { noFloor, reportActs } from '../kinds.ts'

type Place = FloorUid | typeof noFloor
let networks = 0
/** Visitors of tests share a server, and of one network only a few reports a minute count. Each is a site of its own. */
export const newNetwork = () => `198.${Math.floor(++networks / 250)}.${networks % 250}.7`
/** An IPv6 site of its own: gives addresses on different lines of it, 256 of them in each home. */
export function newSite() {
  const site = `2001:db8:${(++networks).toString(16)}`
  return (line: number) => `${site}:${line.toString(16)}::7`
}

/** A running event in both towers with named people, their poster, and two wardens on duty who handle reports. */
export async function eventWithReports(server: TestServer, over: { kind?: 'live' | 'drill'; country?: string } = {}) {
  const { country, ...started } = over
  const org = await server.given.organisation({ smsAllowed: true })
  if (country) await server.db.updateTable('client').set({ country }).where('uid', '=', org.clientUid).execute()
  const mobile = (n: number) => `6148${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}${n}`
  const mobiles = [mobile(10), mobile(11), mobile(12), mobile(13)] as const
  const people: PersonUid[] = []
  for (const [nth, name] of ['Ada Abara', 'Ben Bolt', 'Cy Cole', 'Di Dorn'].entries()) {
    const [firstName, lastName] = name.split(' ') as [string, string]
    people.push(await server.given.occupant(org, { firstName, lastName, mobile: mobiles[nth] as string }))
  }
  const viewer = await server.given.warden(org, { modules: ['Module_Building_Evacuation_Status'] })
  const fay: Warden = await server.given.warden(org, { firstName: 'Fay' })
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid], ...started })
  const { manager, eventUid } = running
  const asFay = await server.onDuty(fay)
  const asViewer = await server.onDuty(viewer)
  const { code, url } = await manager(getReportCode, { query: { site: org.siteUid } })
  const visitor = visitorOf(server, newNetwork())
  const [ada, ben, cy, di] = people as [PersonUid, PersonUid, PersonUid, PersonUid]

  /** What someone sends by the poster, each with a form of their own. */
  const post = (form: Record<string, string>, network = newNetwork()) =>
    visitorOf(server, network).post(`/s/${code}`, form)
  const list = (
    query: Partial<{ state: 'open' | 'handled'; network: string; floor: Place; after: SelfReportUid }> = {},
  ) => asFay(listReports, { query: { state: 'open', ...query } })
  const act = (
    uid: SelfReportUid,
    body: { act: (typeof reportActs)[number]; person?: PersonUid; who?: string },
    by = asFay,
  ) => by(handleReport, { params: { uid }, body }, withKey())
  const acceptAll = async (by = asFay, network?: string, floor?: Place) => {
    const { newest } = await list()
    const body = { upTo: newest as SelfReportUid, ...(network && { network }), ...(floor && { floor }) }
    return by(acceptReports, { body }, withKey())
  }
  /** As a warden who has just read the list. */
  const dismissAll = async (
    body: { calls: 'keep' | 'false'; network?: string; floor?: Place; more?: number },
    by = asFay,
  ) => {
    const { newest } = await list()
    return by(dismissReports, { body: { ...body, ...(newest && { upTo: newest }) } }, withKey())
  }
  /** Many reports as though they had come. `more` are further columns with their SQL, of report `i` from 1. */
  const fill = (count: number, more: Record<string, string> = {}) => {
    const columns = { status: "'safe'", said_name: "'Someone'", network: "'n' || i", site: "'n' || i", ...more }
    return server.database.owner.pg.query(
      `insert into self_report (client_uid, event_uid, way, form_key, at, ${Object.keys(columns)})
       select $1, $2, 'poster', decode(md5(i || $3), 'hex'), steady_now(), ${Object.values(columns)}
       from generate_series(1, $4::int) i`,
      [org.clientUid, eventUid, crypto.randomUUID(), count],
    )
  }
  /** The path of the personal link that a message of a warden brings. */
  const linkOf = async (person: PersonUid, to: string, by = asFay) => {
    await by(sendToEvacuee, {
      body: { message: 'Are you safe? {link}', receiverId: person, automated_response_message: 0 },
    })
    await sendTexts(server)
    const text = (await textsOn(server, to)).at(-1) ?? ''
    return { text, path: new URL(text.split(' ').at(-1) as string).pathname }
  }
  const statusOf = async (person: PersonUid) => (await server.evacueeOf(eventUid, person))?.status
  return {
    org,
    people,
    ada,
    ben,
    cy,
    di,
    mobiles,
    ...running,
    fay,
    asFay,
    asViewer,
    code,
    url,
    visitor,
    post,
    list,
    act,
    acceptAll,
    dismissAll,
    fill,
    linkOf,
    statusOf,
  }
}
