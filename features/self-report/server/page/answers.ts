import { type Html, html, plainPage, words } from '#server/platform/plain-page.ts'
import type { ReportSays } from '../../kinds.ts'
import type { Addressed } from '../find-page.queries.ts'
import { groupOfPage } from './page-group.ts'
import { reportStyleOf } from './report-style.ts'

interface Page {
  page: string
  style: string
}

const numbers: Readonly<Record<string, string>> = { AU: '000', NZ: '111', US: '911', UK: '999' }
/** Of the organisation's country. */
export const emergencyNumber = (country: string): string => numbers[country] ?? '112'

/** What an answer is to: its address, and how it speaks. */
export interface Answered extends Pick<Addressed, 'event' | 'country'> {
  path: string
}

const ofPage = (title: string, body: Html, to?: Pick<Addressed, 'event'>): Page => {
  const style = reportStyleOf(to ? groupOfPage(to) : 'leave')
  return { page: plainPage({ title, body: html`<main>${body}</main>`, style }), style }
}

/** Where people hide every page ends with it. */
export const hiddenEnd = (to: Pick<Addressed, 'event' | 'country'>): Html | false =>
  groupOfPage(to) === 'quiet' &&
  html`
<p>Stay hidden. Keep this phone silent. Call ${emergencyNumber(to.country)} only if you can speak safely.</p>`

/** All end alike. */
const answer = (sentence: string, to: Answered): Page =>
  ofPage(
    'Thank you',
    html`<h1>${sentence}</h1>
<p><a class="big" href="${to.path}">Report again</a></p>
${hiddenEnd(to) || html`<p>No signal? Tell a warden.</p>`}`,
    to,
  )

export const thanksPage = (to: Answered): Page => answer('Thank you. A warden will read this.', to)

/** Where a warden's danger stands, no one is recorded as safe by their own word. */
export function recordedPage(says: ReportSays, isRecorded: boolean, to: Answered): Page {
  const group = groupOfPage(to)
  const call = group === 'quiet' ? '' : ` If you can, call ${emergencyNumber(to.country)}.`
  if (says === 'help') return answer(`Thank you. The wardens can see that you need help.${call}`, to)
  const recorded = group === 'leave' ? 'You are recorded as safe.' : 'You are recorded as accounted for.'
  return answer(`Thank you. ${isRecorded ? recorded : 'A warden will confirm that you are safe.'}`, to)
}

/** The poster of an organisation that is at another installation now. */
export const movedPage = (address: string): Page =>
  ofPage(
    'This page has moved',
    html`<h1>This page has moved.</h1>
<p><a class="big" href="${address}">Open it at its new address</a></p>
<p>Do you need help? Tell a warden, or call the emergency services.</p>`,
  )

/** An unknown address, an ended one and one without an event get this one answer. */
export const noEventPage = (): Page =>
  ofPage(
    'No event',
    html`<h1>No event is running here.</h1>
<p>Do you need help? Tell a warden, or call the emergency services.</p>`,
  )

type Told = Pick<Addressed, 'siteName' | 'country' | 'event'>

/** Too many calls for help from this network or in this event: this one is counted, and nothing else of it is kept. */
export const callPage = (to: Told): Page =>
  ofPage(
    'Call for help',
    html`<p>${words(to.siteName)}</p>
<h1>Call ${emergencyNumber(to.country)} or tell a warden.</h1>
<p>Many calls for help are coming from your network. The wardens can see that there are more, but not who you are or where.</p>${hiddenEnd(to)}`,
    to,
  )

const tell = (to: Told, why: string): Page =>
  ofPage(
    'Tell a warden',
    html`<p>${words(to.siteName)}</p>
<h1>Please tell a warden.</h1>
<p>${words(why)} If you are in danger, call ${emergencyNumber(to.country)}.</p>${hiddenEnd(to)}`,
    to,
  )

/** The poster page is closed. */
export const tellPage = (to: Told): Page => tell(to, 'This page is not taking reports now.')

/** Too many reports from this network, by this link or in this event: nothing of this one is kept. */
export const manyPage = (to: Told): Page => tell(to, 'Too many reports are coming in. Yours has not been recorded.')
