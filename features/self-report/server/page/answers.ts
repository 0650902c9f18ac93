import { html, plainPage, words } from '#server/platform/plain-page.ts'
import type { ReportSays } from '../../kinds.ts'
import { reportStyle } from './report-style.ts'

interface Page {
  page: string
  style: string
}

const numbers: Readonly<Record<string, string>> = { AU: '000', NZ: '111', US: '911', UK: '999' }
/** Of the organisation's country. */
export const emergencyNumber = (country: string): string => numbers[country] ?? '112'

const ofPage = (title: string, body: ReturnType<typeof html>): Page => ({
  page: plainPage({ title, body: html`<main>${body}</main>`, style: reportStyle }),
  style: reportStyle,
})

/** All end alike. */
const answer = (sentence: string, path: string): Page =>
  ofPage(
    'Thank you',
    html`<h1>${sentence}</h1>
<p><a class="big" href="${path}">Report again</a></p>
<p>No signal? Tell a warden.</p>`,
  )

export const thanksPage = (path: string): Page => answer('Thank you. A warden will read this.', path)

/** Where a warden's danger stands, no one is recorded as safe by their own word. */
export function recordedPage(says: ReportSays, isRecorded: boolean, country: string, path: string): Page {
  const number = emergencyNumber(country)
  if (says === 'help')
    return answer(`Thank you. The wardens can see that you need help. If you can, call ${number}.`, path)
  const sentence = isRecorded ? 'You are recorded as safe.' : 'A warden will confirm that you are safe.'
  return answer(`Thank you. ${sentence}`, path)
}

/** An unknown address, an ended one and one without an event get this one answer. */
export const noEventPage = (): Page =>
  ofPage(
    'No event',
    html`<h1>No event is running here.</h1>
<p>Do you need help? Tell a warden, or call the emergency services.</p>`,
  )

/** Too many calls for help from this network or in this event: this one is counted, and nothing else of it is kept. */
export const callPage = (siteName: string, country: string): Page =>
  ofPage(
    'Call for help',
    html`<p>${words(siteName)}</p>
<h1>Call ${emergencyNumber(country)} or tell a warden.</h1>
<p>Many calls for help are coming from your network. The wardens can see that there are more, but not who you are or where.</p>`,
  )

const tell = (siteName: string, country: string, why: string): Page =>
  ofPage(
    'Tell a warden',
    html`<p>${words(siteName)}</p>
<h1>Please tell a warden.</h1>
<p>${words(why)} If you are in danger, call ${emergencyNumber(country)}.</p>`,
  )

/** The poster page is closed. */
export const tellPage = (siteName: string, country: string): Page =>
  tell(siteName, country, 'This page is not taking reports now.')

/** Too many reports from this network, by this link or in this event: nothing of this one is kept. */
export const manyPage = (siteName: string, country: string): Page =>
  tell(siteName, country, 'Too many reports are coming in. Yours has not been recorded.')
