import { within } from '#server/administrators/reach.ts'
import { reading, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as calls from '../calls.ts'
import { listEntered, listShown } from './origins.queries.ts'
import { presentChanges, presentOwnChanges } from './sign-in-changes.service.ts'

export const authorityRoutes = routes(calls, {
  listOwnSignInChanges: ({ tx, actor, now }) => presentOwnChanges(tx, actor, now),
  listSignInChanges: ({ tx, administrator, now }) => presentChanges(tx, administrator, now),
  readSignInOrigins: reading(async ({ tx, app, administrator, body }) => {
    const { clientUid } = administrator
    const people = [...new Set(body.people)]
    const entered = await listEntered(tx, clientUid, within(administrator).person, people)
    if (entered.length < people.length) throw new Refusal('not_found')
    const shown = await listShown(app.system, clientUid, people)
    return entered.map(({ personUid, name, enteredBy, enteredAt }) => ({
      ...{ person: personUid, name, password_was_shown: shown.includes(personUid) },
      address: enteredBy !== null && enteredAt !== null ? { by: enteredBy, at: enteredAt.toISOString() } : null,
    }))
  }),
})
