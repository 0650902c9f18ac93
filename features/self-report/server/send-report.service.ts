import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import type { PlainAnswer, PlainHandling } from '#server/http/plain-pages.ts'
import { readAnswer } from '#server/platform/answers/read-answer.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { countNetwork, type NetworkRule } from '#server/platform/db/network-limits.ts'
import { countEach } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import { readPhone } from '#server/platform/phones.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { type FormSays, formSays, reportLimits } from '../kinds.ts'
import { listEventPlaces } from './find-page.queries.ts'
import { formOf, newNonce, type Opened, openAddress } from './open-page.service.ts'
import { callPage, manyPage, noEventPage, recordedPage, thanksPage } from './page/answers.ts'
import { shortOf } from './page/report-page.ts'
import * as queries from './store-report.queries.ts'

/**
 * A minute, of a line by poster and of one personal link. Calls for help are counted apart: none is refused because others
 * on the network said that they are safe.
 */
const posts: Readonly<Record<FormSays, NetworkRule>> = {
  safe: { limit: 10, minutes: 1, building: true },
  help: { limit: 60, minutes: 1, building: true },
}

/** What someone sends, by personal link or by poster. What cannot be read is not counted. */
export async function sendReport(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const found = await openAddress(app, handling)
  if ('answer' in found) return found.answer
  const { opened } = found
  const { form } = handling
  const pressed = formSays.find((one) => one === form.say)
  if (!pressed) return { status: 422, ...(await formOf(handling, opened)) }
  if (!opened.evacueeUid && pressed === 'safe' && !form.name && !form.mobile) {
    const again = { wrong: 'Give your name or your mobile number.', says: pressed, given: form }
    return { status: 422, ...(await formOf(handling, opened, { again, ...(form.form && { nonce: form.form }) })) }
  }
  const says = meant([form.floor, form.words].filter(Boolean).join(': '), pressed)
  const isFew = await countPost(app, opened, says, handling)
  if (!isFew && says === 'safe') return { status: 429, ...manyPage(opened) }
  return handling.write(opened.clientUid, (tx) => take(tx, opened, handling, { pressed, isFew }))
}

/** 'I am safe' with 'trapped in the lift' where the floor belongs is a call for help. */
const meant = (words: string, pressed: FormSays): FormSays =>
  readAnswer(words, { asked: false, sent: [] }) === 'help' ? 'help' : pressed

/** False beyond the limit. */
async function countPost(
  { system, clock }: FastifyInstance,
  { evacueeUid, siteUid }: Opened,
  says: FormSays,
  { network }: PlainHandling,
): Promise<boolean> {
  const rule = posts[says]
  if (!evacueeUid) return countNetwork(system, `poster/${siteUid}/${says}`, network, rule, clock.now())
  const [count = 0] = await countEach(system, [[`self/${evacueeUid}/${says}`, rule]], clock.now())
  return count <= rule.limit
}

async function take(
  tx: Tx,
  opened: Opened,
  { form, network: { line, home, site } }: PlainHandling,
  { pressed, isFew }: { pressed: FormSays; isFew: boolean },
): Promise<PlainAnswer> {
  const { clientUid, event, evacueeUid, way, path } = opened
  const written = await readSaid(tx, opened, form)
  const status = meant(written.words ?? '', pressed)
  const said = { status, ...written }
  if (!(await queries.holdRunning(tx, clientUid, event.uid))) return { status: 404, ...noEventPage() }
  const formKey = sha256(`${path}/${form.form || newNonce()}`)
  // of a poster all reports take turns, so that the event has no more of them than it takes
  await queries.lockReports(tx, evacueeUid ? formKey.toString('hex') : event.uid)
  const before = await queries.findNewestOfForm(tx, clientUid, formKey)
  const isRepeated = before !== undefined && !before.isOvertaken && isSame(before, said)
  if (isRepeated && evacueeUid) return { status: 200, ...recordedPage(status, before.stands === 'safe', opened) }
  if (isRepeated) return { status: 200, ...thanksPage(opened) }
  const counted = { clientUid, eventUid: event.uid, status, site }
  if (evacueeUid && !isFew) return { status: 429, ...manyPage(opened) }
  if (!evacueeUid && !(isFew && (await queries.hasRoom(tx, counted)))) return tellAndCount(tx, opened, counted)

  const uid = randomUUID()
  const nth = before ? before.nth + 1 : 0
  const from = { network: line, home, site }
  const insert = () =>
    queries.insertReport(tx, { ...said, clientUid, uid, eventUid: event.uid, way, evacueeUid, formKey, nth, ...from })
  const journaled = { report: uid, way, says: status }
  const note = () =>
    record(
      tx,
      { clientUid, personUid: null, signInUid: null },
      {
        action: 'self_report_made',
        subjectType: 'event',
        subjectUid: event.uid,
        eventUid: event.uid,
        after: journaled,
      },
    )
  if (!evacueeUid) {
    await insert()
    await note()
    return { status: 200, ...thanksPage(opened) }
  }
  const { buildingUid, floorUid } = said
  const recorded = await recordAnswer(tx, {
    clientUid,
    evacueeUid,
    status: status === 'safe' ? 'safe' : 'danger',
    reportUid: uid,
    place: { buildingUid, floorUid },
  })
  // their building has left the event this moment
  if (!recorded) return { status: 404, ...noEventPage() }
  await insert()
  await note()
  return { status: 200, ...recordedPage(status, !recorded.superseded, opened) }
}

/** Not kept: the person reads whom to call. A call for help is counted, and the wardens see that there are more. */
async function tellAndCount(
  tx: Tx,
  opened: Opened,
  counted: Parameters<typeof queries.hasRoom>[1],
): Promise<PlainAnswer> {
  const { clientUid, event } = opened
  if (counted.status === 'safe') return { status: 429, ...manyPage(opened) }
  const told = await queries.countMore(tx, counted)
  if (told)
    await record(tx, unattended(clientUid), {
      action: 'calls_for_help_counted',
      subjectType: 'event',
      subjectUid: event.uid,
      eventUid: event.uid,
      after: told,
    })
  return { status: 429, ...callPage(opened) }
}

const isSame = (one: queries.Said, other: queries.Said) =>
  (['status', 'buildingUid', 'floorUid', 'words', 'saidName', 'saidMobile'] as const).every(
    (field) => one[field] === other[field],
  )

/** Throws `not_found` for a place that is not in the event. */
async function readSaid(
  tx: Tx,
  { clientUid, event, country, evacueeUid }: Opened,
  { place, floor = '', words = '', name = '', mobile = '' }: PlainHandling['form'],
): Promise<Omit<queries.Said, 'status'>> {
  const found = place || floor ? await findPlace(tx, { clientUid, eventUid: event.uid }, place ?? '', floor) : undefined
  const said = [found?.unread, words].filter(Boolean).join(': ')
  return {
    buildingUid: found?.buildingUid ?? null,
    floorUid: found?.floorUid ?? null,
    words: said || null,
    // a personal link says who it is
    saidName: evacueeUid ? null : name.replace(/\s+/g, ' ') || null,
    saidMobile: evacueeUid ? null : numberOr(mobile, country) || null,
  }
}

/** As numbers are stored, or what was written. */
function numberOr(text: string, country: string): string {
  const read = readPhone(text, country)
  return read && 'number' in read ? read.number : text
}

/** The place that was chosen, and the floor that was typed: one of that name, of the chosen building if there is one. */
async function findPlace(
  tx: Tx,
  { clientUid, eventUid }: Pick<queries.NewReport, 'clientUid' | 'eventUid'>,
  place: string,
  typed: string,
): Promise<{ buildingUid: string | null; floorUid: string | null; unread: string }> {
  const places = await listEventPlaces(tx, clientUid, eventUid)
  const chosen = place === '' ? undefined : places.find(({ uid }) => uid === place || shortOf(uid) === place)
  if (place !== '' && !chosen) throw new Refusal('not_found')
  if (chosen?.name) return { buildingUid: chosen.buildingUid, floorUid: chosen.uid, unread: typed }
  const named = places.filter(
    ({ name, level, buildingUid }) =>
      name !== null &&
      (!chosen || buildingUid === chosen.uid) &&
      [name.toLowerCase(), String(level)].includes(typed.toLowerCase()),
  )
  const [only] = named.length === 1 ? named : []
  const buildingUid = only?.buildingUid ?? chosen?.buildingUid ?? null
  return { buildingUid, floorUid: only?.uid ?? null, unread: only ? '' : typed.slice(0, reportLimits.words) }
}
