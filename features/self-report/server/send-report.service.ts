import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import type { PlainAnswer, PlainHandling } from '#server/http/plain-pages.ts'
import { readAnswer } from '#server/platform/answers/read-answer.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { countEach, type ThrottleRule } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import { readPhone } from '#server/platform/phones.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { formSays, reportLimits } from '../kinds.ts'
import { listEventPlaces } from './find-page.queries.ts'
import { formOf, newNonce, type Opened, openAddress } from './open-page.service.ts'
import { noEventPage, recordedPage, tellPage, thanksPage } from './page/answers.ts'
import { shortOf } from './page/report-page.ts'
import * as queries from './store-report.queries.ts'

/** Ten a minute from one network by poster, and as many by one personal link. */
const fewPosts: ThrottleRule = { limit: 10, minutes: 1 }

/** What someone sends, by personal link or by poster. */
export async function sendReport(app: FastifyInstance, handling: PlainHandling): Promise<PlainAnswer> {
  const found = await openAddress(app, handling)
  if ('answer' in found) return found.answer
  const { opened } = found
  const { siteName, country, evacueeUid } = opened
  const { form, network } = handling
  const [posts = 0] = await countEach(
    app.system,
    [[evacueeUid ? `self/${evacueeUid}` : `poster/${network}`, fewPosts]],
    app.clock.now(),
  )
  if (posts > fewPosts.limit) return { status: 429, ...tellPage(siteName, country) }
  const says = formSays.find((one) => one === form.say)
  if (!says) return { status: 422, ...(await formOf(handling, opened)) }
  if (!evacueeUid && says === 'safe' && !form.name && !form.mobile) {
    const again = { wrong: 'Give your name or your mobile number.', says, given: form }
    return { status: 422, ...(await formOf(handling, opened, { again, ...(form.form && { nonce: form.form }) })) }
  }
  return handling.write(opened.clientUid, (tx) => take(tx, opened, handling, says))
}

async function take(
  tx: Tx,
  opened: Opened,
  { form, network }: PlainHandling,
  pressed: (typeof formSays)[number],
): Promise<PlainAnswer> {
  const { clientUid, event, evacueeUid, way, siteName, country, path } = opened
  const written = await readSaid(tx, opened, form)
  // 'I am safe' with 'trapped in the lift' where the floor belongs is a call for help
  const status = readAnswer(written.words ?? '', { asked: false, sent: [] }) === 'help' ? 'help' : pressed
  const said = { status, ...written }
  if (!(await queries.holdRunning(tx, clientUid, event.uid))) return { status: 404, ...noEventPage() }
  const formKey = sha256(`${path}/${form.form || newNonce()}`)
  // of a poster all reports take turns, so that the event has no more of them than it takes
  await queries.lockReports(tx, evacueeUid ? formKey.toString('hex') : event.uid)
  const before = await queries.findNewestOfForm(tx, clientUid, formKey)
  const isRepeated = before !== undefined && !before.isOvertaken && isSame(before, said)
  if (isRepeated && evacueeUid) return { status: 200, ...recordedPage(status, before.stands === 'safe', country, path) }
  if (isRepeated) return { status: 200, ...thanksPage(path) }
  if (!evacueeUid && (await queries.isFull(tx, clientUid, event.uid)))
    return { status: 429, ...tellPage(siteName, country) }

  const uid = randomUUID()
  const nth = before ? before.nth + 1 : 0
  const insert = () =>
    queries.insertReport(tx, { ...said, clientUid, uid, eventUid: event.uid, way, evacueeUid, network, formKey, nth })
  const journaled = { report: uid, way, says: status }
  const note = () =>
    record(
      tx,
      { clientUid, personUid: null, signInUid: null },
      {
        ...{ action: 'self_report_made', subjectType: 'event', subjectUid: event.uid },
        ...{ eventUid: event.uid, after: journaled },
      },
    )
  if (!evacueeUid) {
    await insert()
    await note()
    return { status: 200, ...thanksPage(path) }
  }
  const { buildingUid, floorUid } = said
  const recorded = await recordAnswer(tx, {
    ...{ clientUid, evacueeUid, status: status === 'safe' ? 'safe' : 'danger', reportUid: uid },
    place: { buildingUid, floorUid },
  })
  // their building has left the event this moment
  if (!recorded) return { status: 404, ...noEventPage() }
  await insert()
  await note()
  return { status: 200, ...recordedPage(status, !recorded.superseded, country, path) }
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
