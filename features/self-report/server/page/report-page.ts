import { stayTexts } from '#kernel/action-words.ts'
import { type Html, html, plainPage, words } from '#server/platform/plain-page.ts'
import { type ReportSays, reportLimits } from '../../kinds.ts'
import type { Addressed, PlaceRow } from '../find-page.queries.ts'
import { emergencyNumber, hiddenEnd } from './answers.ts'
import { groupOfPage } from './page-group.ts'
import { reportStyleOf } from './report-style.ts'

/** A longer page takes too long with a weak signal. */
const mostBytes = 10_000
/** What is listed of the event's places. What is not is typed. */
type Listing = 'floors' | 'buildings' | 'nothing'

export interface ReportForm {
  addressed: Addressed
  /** Where the form is sent. */
  path: string
  /** The number of the form: two presses are one. */
  nonce: string
  places: readonly PlaceRow[]
  /** What was wrong, with the form that was sent. */
  again?: { wrong: string; says: ReportSays; given: Readonly<Record<string, string>> }
}

/** Everything is in one page: anyone who has read it needs the signal only once more. */
export function reportPage(form: ReportForm): { page: string; style: string } {
  const title = `Report, ${form.addressed.siteName}`
  const style = reportStyleOf(groupOfPage(form.addressed))
  const write = (listing: Listing) => plainPage({ title, body: bodyOf(form, listing), style })
  const fits = (page: string) => Buffer.byteLength(page) < mostBytes
  const page = [write('floors'), write('buildings')].find(fits) ?? write('nothing')
  return { page, style }
}

function bodyOf(form: ReportForm, listing: Listing): Html {
  const { addressed } = form
  return html`${
    addressed.event?.kind === 'drill' &&
    html`<p class="drill">DRILL. This is an exercise.</p>
`
  }<main>
<h1>${words(addressed.siteName)}</h1>
<p>${words(addressed.event?.type ?? '')}</p>
${choices(form)}
${addressed.way === 'poster' && section(form, 'safe', safeByPoster(form, listing))}
${section(form, 'help', help(form, listing))}${hiddenEnd(addressed)}
</main>`
}

/** A personal link knows who says it: one press is enough. */
const choices = (form: ReportForm): Html => html`${
  form.addressed.way === 'link'
    ? html`<form method="post" action="${form.path}">${hidden(form, 'safe')}<button class="safe" type="submit">${iAmSafe(form)}</button></form>`
    : html`<a class="big safe" href="#safe">${iAmSafe(form)}</a>`
}
<a class="big help" href="#help">I need help</a>`

function iAmSafe({ addressed }: ReportForm): string {
  const group = groupOfPage(addressed)
  return group === 'leave' ? 'I am safe' : stayTexts[group].iAmSafe
}

const hidden = ({ nonce }: ReportForm, says: ReportSays): Html =>
  html`<input type="hidden" name="form" value="${nonce}"><input type="hidden" name="say" value="${says}">`

function section(form: ReportForm, says: ReportSays, fields: Html): Html {
  const { again } = form
  return html`<section id="${says}"${again?.says === says && html` class="open"`}>
<h2>${says === 'safe' ? iAmSafe(form) : 'I need help'}</h2>
${again?.says === says && html`<p class="wrong" role="alert">${again.wrong}</p>`}
<form method="post" action="${form.path}">${hidden(form, says)}
${fields}
<button type="submit">Send</button>
</form>
</section>`
}

const safeByPoster = (
  form: ReportForm,
  listing: Listing,
): Html => html`${!form.again && html`<p>Give your name or your mobile number.</p>`}
${who(form, 'safe')}
${where(form, 'safe', { label: 'Your floor', listing })}`

const help = (
  form: ReportForm,
  listing: Listing,
): Html => html`<p>${groupOfPage(form.addressed) === 'quiet' ? html`You may leave all of this empty.` : html`If you can, also call ${emergencyNumber(form.addressed.country)}. You may leave all of this empty.`}</p>
${where(form, 'help', { label: 'Where are you?', listing })}
${field(form, 'help', { name: 'words', label: 'Anything that helps to find you', most: reportLimits.words })}
${form.addressed.way === 'poster' && who(form, 'help')}`

const who = (form: ReportForm, says: ReportSays): Html => html`${field(form, says, {
  name: 'name',
  label: 'Name',
  most: reportLimits.name,
  more: html` type="text" autocomplete="name"`,
})}
${field(form, says, {
  name: 'mobile',
  label: 'Mobile number',
  most: reportLimits.mobile,
  more: html` type="tel" autocomplete="tel"`,
})}`

interface Field {
  name: 'words' | 'name' | 'mobile' | 'floor'
  label: string
  most: number
  more?: Html
}

function field({ again }: ReportForm, says: ReportSays, { name, label, most, more }: Field): Html {
  const value = again?.says === says ? (again.given[name] ?? '') : ''
  return html`<label for="${says}-${name}">${label}</label>
<input id="${says}-${name}" name="${name}" maxlength="${most}"${more ?? html` type="text"`}${value !== '' && html` value="${value}"`}>`
}

/** A place is named by the first digits of its uid, which are enough within an event. */
export const shortOf = (uid: string) => uid.slice(0, 8)

function where(form: ReportForm, says: ReportSays, { label, listing }: { label: string; listing: Listing }): Html {
  const { places, again } = form
  const chosen = again?.says === says ? again.given.place : undefined
  const option = ({ uid, name, buildingName }: PlaceRow) =>
    html`<option value="${shortOf(uid)}"${chosen === shortOf(uid) && html` selected`}>${name ?? buildingName}</option>`
  if (listing === 'nothing')
    return field(form, says, { name: 'floor', label: `${label} Building and floor`, most: reportLimits.words })
  const groups = [...Map.groupBy(places, ({ buildingUid }) => buildingUid).values()]
  const options =
    listing === 'buildings'
      ? places.filter(({ name }) => name === null).map(option)
      : groups.map((rows) => html`<optgroup label="${rows[0]?.buildingName ?? ''}">${rows.map(option)}</optgroup>`)
  return html`<label for="${says}-place">${label}</label>
<select id="${says}-place" name="place"><option value="">Choose</option>${options}</select>
${listing === 'buildings' && field(form, says, { name: 'floor', label: 'Floor', most: reportLimits.words })}`
}
