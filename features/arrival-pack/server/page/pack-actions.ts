import { doneOf, doneTitle, type Say, sayOf, wordOf } from '#kernel/action-words.ts'
import { type Html, html, words } from '#server/platform/plain-page.ts'
import type { PackPlace } from '../pack-content.service.ts'
import type { Times } from './pack-times.ts'

const doingIn = (places: readonly PackPlace[]) => [
  ...new Map(places.map((place) => [place.buildingUid, { action: place.action, before: place.actionBefore }])).values(),
]

/** How the page speaks of these places. */
export const sayOfPack = (places: readonly PackPlace[]): Say => sayOf(doingIn(places))

/** 'Lockdown in Tower A since 14:12', for each building whose people do something else than leave. */
export function actionLines(places: readonly PackPlace[], times: Times): Html {
  const buildings = [...new Map(places.map((place) => [place.buildingUid, place])).values()]
  return html`${buildings
    .filter(({ action }) => action !== 'evacuate')
    .map(
      ({
        building,
        action,
        actionWhere,
        actionFrom,
      }) => html`<p><strong>${wordOf(action)} in ${words(building)} since ${times.minute(actionFrom)}</strong>${
        actionWhere && html`<br>${words(actionWhere)}`
      }</p>
`,
    )}`
}

/** What the figures do not say. */
export function meaningOf(places: readonly PackPlace[]): string {
  const done = [...new Set(doingIn(places).map(({ action }) => doneOf(action)))]
  if (done.every((word) => word === 'cleared'))
    return 'Unknown is not safe. Cleared means that a warden searched the floor and found no one else; it does not say where the people from that floor are.'
  const title = done.length === 1 ? doneTitle(doingIn(places)[0]?.action ?? 'evacuate') : 'Done'
  return `Unknown is not safe. ${title} means that a warden reported it. It does not say who is inside.`
}
