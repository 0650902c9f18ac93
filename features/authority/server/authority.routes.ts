import { within } from '#server/administrators/reach.ts'
import { reading, routes } from '#server/http/routes.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as calls from '../calls.ts'
import { listEntered, listKnown } from './origins.queries.ts'
import { presentChanges, presentOwnChanges } from './sign-in-changes.service.ts'

export const authorityRoutes = routes(calls, {
  listOwnSignInChanges: ({ tx, actor, now }) => presentOwnChanges(tx, actor, now),
  listSignInChanges: ({ tx, administrator, now }) => presentChanges(tx, administrator, now),
  readSignInOrigins: reading(async ({ tx, app, administrator, body }) => {
    const { clientUid } = administrator
    const people = [...new Set(body.people)]
    const entered = await listEntered(tx, clientUid, within(administrator).person, people)
    if (entered.length < people.length) throw new Refusal('not_found')
    const known = new Map((await listKnown(app.system, clientUid, people)).map((one) => [one.uid, one]))
    const of = (by: string | null | undefined, at: Date | null | undefined) =>
      by && at ? { by, at: at.toISOString() } : null
    return entered.map(({ personUid, name, enteredBy, enteredAt }) => {
      const password = known.get(personUid)
      return {
        ...{ person: personUid, name, address: of(enteredBy, enteredAt) },
        password_was_shown: password?.isShown ?? false,
        password_merged: of(password?.mergedBy, password?.mergedAt),
      }
    })
  }),
})
