import { sql } from 'kysely'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { changeDirectory, holdDirectory, requireNone } from '#features/directory/server/change-directory.service.ts'
import type { AssignmentUid, ClientUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type { offerRole } from '../../calls/wardens.ts'
import { tellOfOffers } from './assignment-offer-messages.ts'
import * as queries from './assignment-offers.queries.ts'
import { save } from './change-or-defer.ts'

type Offer = CallInput<typeof offerRole>['body']

/**
 * Offers a role to people, or enters that they have accepted. A declined or withdrawn assignment of the same first
 * day is offered anew; an open one is `taken`.
 */
export async function offer(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  input: Offer,
): Promise<CallAnswer<typeof offerRole>> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const wanted = await readOffer(tx, administrator, input)
  const same = await queries.listSame(tx, clientUid, { ...input, people: [...new Set(input.people)] })
  if (same.some(({ status }) => status === 'Offered' || status === 'Accepted'))
    throw new Refusal('taken', 'Another assignment already starts on this day.', ['from'])
  const status = input.accepted ? 'Accepted' : 'Offered'
  const rows = wanted.people.map(({ uid, code, locations }) => ({
    uid: same.find(({ personUid }) => personUid === uid)?.uid ?? null,
    person: code,
    role: wanted.role.code,
    site: wanted.site.code,
    locations,
    date_from: input.from,
    date_to: input.to,
    status,
  }))
  const { uids } = await save(app, tx, administrator, { assignments: rows })
  const assignments = (uids.assignments ?? []) as AssignmentUid[]
  const offers = wanted.people.map((person, n) => ({ ...person, assignmentUid: assignments[n] as AssignmentUid }))
  const told = input.tell ? await tellOfOffers(app, tx, administrator, { ...input, ...wanted, offers }) : 0
  return { offered: offers.length, told }
}

/** What the offer names, all of it within reach. Throws `not_found`. */
async function readOffer(tx: Tx, administrator: Administrator, input: Offer) {
  const { clientUid } = administrator
  const is = within(administrator)
  const uids = [...new Set(input.people)]
  const people = await queries.listStaff(tx, clientUid, is.person, uids)
  const role = await findOfferable(tx, administrator, input)
  const site = await queries.findSite(tx, clientUid, is.site, input.site)
  if (people.length < uids.length || !role || !site) throw new Refusal('not_found')
  if (input.own_floors) return { role, site, people: await onOwnFloors(tx, clientUid, input, { people, role, site }) }
  const places = await readPlaces(tx, clientUid, input.site, input.places)
  return { role, site, people: people.map((person) => ({ ...person, ...places })) }
}

/** Each with the floor on which they are counted. Throws `invalid_request` with the names of who has none at the site. */
async function onOwnFloors(
  tx: Tx,
  clientUid: ClientUid,
  input: Offer,
  { people, role, site }: { people: queries.OfferedPerson[]; role: queries.OfferedRole; site: { name: string } },
) {
  if (role.domain !== 'Floor' || input.places.length > 0)
    throw new Refusal('invalid_request', 'Only a role of floors is offered to each on their own floor.', ['places'])
  const floors = new Map(
    (await queries.listOwnFloors(tx, clientUid, input.site, input.people)).map((floor) => [floor.personUid, floor]),
  )
  const without = people.filter(({ uid }) => !floors.has(uid)).map(({ name }) => name)
  if (without.length > 0)
    throw fieldRefusal('invalid_request', `Without a floor at ${site.name}: ${without.join(', ')}`, 'people')
  return people.map((person) => {
    const { code, name } = floors.get(person.uid) as queries.OwnFloor
    return { ...person, locations: code, placeNames: [name] }
  })
}

/** A group's administrator offers no role that covers more than floors, and none that manages events. */
async function findOfferable(tx: Tx, { clientUid, reach }: Administrator, input: Offer) {
  const role = await queries.findRole(tx, clientUid, input.role)
  const isWide = role?.domain === 'Site' || role?.domain === 'Building' || role?.managesEvents
  return reach.kind === 'group' && isWide ? undefined : role
}

/** The cell `locations` of the import format, and the places by name. Throws `not_found`. */
export async function readPlaces(tx: Tx, clientUid: ClientUid, siteUid: SiteUid, uids: readonly string[]) {
  const wanted = [...new Set(uids)]
  const places = await queries.listPlaces(tx, clientUid, siteUid, wanted)
  if (places.length < wanted.length) throw new Refusal('not_found')
  return { locations: places.map(({ code }) => code).join(';'), placeNames: places.map(({ name }) => name) }
}

/** A floor for one day, with the role under which it is offered. */
export interface DayOffer {
  siteUid: SiteUid
  floorUid: FloorUid
  day: string
  personUid: PersonUid
  roleUid: WardenRoleUid
}

/** 'Already asked.' */
const asked = () => new Refusal('invalid_transition', 'Already asked.')

/** Offers a floor for one day, as the console offers a role, and tells the person. Throws `invalid_transition` if they have been asked. */
export async function offerDay(
  app: Services,
  tx: Tx,
  by: JournalActor & { clientUid: ClientUid },
  offer: DayOffer,
): Promise<void> {
  const { clientUid } = by
  await holdDirectory(tx, clientUid)
  const wanted = await readDay(tx, clientUid, offer)
  const [same] = await listSameDay(tx, clientUid, offer)
  if (same && isOpen(same)) throw asked()
  const [uid] = await saveDay(app, tx, by, { ...offer, ...wanted, uid: same?.uid ?? null, status: 'Offered' })
  const offers = [{ ...wanted.person, placeNames: wanted.placeNames, assignmentUid: uid }]
  await tellOfOffers(app, tx, by, { ...wanted, from: offer.day, to: offer.day, offers })
}

/** The person takes the floor for one day. A floor taken before for the same day stays. */
export async function takeDay(
  app: Services,
  tx: Tx,
  by: JournalActor & { clientUid: ClientUid },
  offer: DayOffer,
): Promise<void> {
  const wanted = await readDay(tx, by.clientUid, offer)
  const [same] = await listSameDay(tx, by.clientUid, offer)
  // an assignment of many days keeps its floors
  if (same && isOpen(same) && same.dateTo !== offer.day) throw new Refusal('invalid_transition')
  const held = same?.status === 'Accepted' ? await queries.listHeldPlaces(tx, by.clientUid, same.uid) : []
  const locations = [...new Set([...held, wanted.locations])].join(';')
  await saveDay(app, tx, by, { ...offer, ...wanted, locations, uid: same?.uid ?? null, status: 'Accepted' })
}

const isOpen = ({ status }: queries.SameAssignment) => status === 'Offered' || status === 'Accepted'

const listSameDay = (tx: Tx, clientUid: ClientUid, { personUid, roleUid, siteUid, day }: DayOffer) =>
  queries.listSame(tx, clientUid, { people: [personUid], role: roleUid, site: siteUid, from: day })

/** What a day's offer names. Throws `not_found`. */
async function readDay(tx: Tx, clientUid: ClientUid, { siteUid, floorUid, personUid, roleUid }: DayOffer) {
  const any = sql<boolean>`true`
  const [person] = await queries.listStaff(tx, clientUid, any, [personUid])
  const role = await queries.findRole(tx, clientUid, roleUid)
  const site = await queries.findSite(tx, clientUid, any, siteUid)
  if (!person || !role || !site) throw new Refusal('not_found')
  return { person, role, site, ...(await readPlaces(tx, clientUid, siteUid, [floorUid])) }
}

interface DayRow extends Awaited<ReturnType<typeof readDay>> {
  uid: AssignmentUid | null
  siteUid: SiteUid
  day: string
  status: 'Offered' | 'Accepted'
}

async function saveDay(app: Services, tx: Tx, by: JournalActor & { clientUid: ClientUid }, row: DayRow) {
  const { uid, person, role, site, locations, day, status } = row
  const now = app.clock.now()
  // opens an account with the names that the person has, and can do nothing else to a sign-in
  const as = asAdministrator({
    clientUid: by.clientUid,
    personUid: by.personUid as PersonUid,
    seesPlans: false,
    isConfirmed: false,
    reach: { kind: 'site', siteUid: row.siteUid },
  })
  const changed = await changeDirectory(tx, {
    by,
    acting: { as, telling: tellingOf({ config: app.config, jobs: app.jobs, now }) },
    now,
    rows: {
      assignments: [
        {
          uid,
          person: person.code,
          role: role.code,
          site: site.code,
          locations,
          date_from: day,
          date_to: day,
          status,
        },
      ],
    },
  })
  requireNone(changed)
  return (changed.uids.assignments ?? []) as [AssignmentUid]
}
