import type { FastifyInstance } from 'fastify'
import { listCandidates } from '#features/administrators/calls/administrators.ts'
import { invitationLink } from '#features/sign-in/server/invitations/invitations.service.ts'
import { serveConsole } from '#server/http/serve.ts'
import { inClients } from '#server/platform/db/db.ts'
import {
  addPerson,
  changePerson,
  deactivatePerson,
  downloadPeople,
  getPerson,
  listFloorChoices,
  listPeople,
  listPeopleChoices,
  reactivatePerson,
} from '../calls/people.ts'
import { changePeople, movePeople } from '../calls/people-bulk.ts'
import { invitePerson, sendPasswordLink, showInvitation, signOutPerson } from '../calls/sign-in-acts.ts'
import { changeMany, moveFrom } from './bulk.service.ts'
import { findCandidates, list, listChoices, writeFile } from './people.service.ts'
import { add, change, deactivate, listFloors, reactivate } from './person.service.ts'
import { present } from './present-person.service.ts'
import { inviteByMail, mailPasswordLink, makeShown, signOutEverywhere } from './sign-in-acts.service.ts'

export async function peopleRoutes(app: FastifyInstance) {
  const { system, secrets, config, clock } = app
  const reading = () => ({ system, secrets, config, now: clock.now() })
  serveConsole(app, listPeople, ({ administrator, input, read }) =>
    read((tx) => list(reading(), tx, administrator, input.query)),
  )
  // no reply is stored: it has names and numbers
  serveConsole(app, downloadPeople, ({ administrator, input }) =>
    inClients(app.db, [administrator.clientUid], (tx) => writeFile(reading(), tx, administrator, input.body)),
  )
  serveConsole(app, listCandidates, ({ administrator, input, read }) =>
    read((tx) => findCandidates(tx, administrator, input.query.q)),
  )
  serveConsole(app, listPeopleChoices, ({ administrator, read }) => read((tx) => listChoices(tx, administrator)))
  serveConsole(app, listFloorChoices, ({ administrator, input, read }) =>
    read((tx) => listFloors(tx, administrator, input.query.building)),
  )
  serveConsole(app, getPerson, ({ administrator, input }) =>
    inClients(system, [administrator.clientUid], (tx) => present(app, tx, administrator, input.params.uid)),
  )
  const changing = () => ({ config, jobs: app.jobs, now: clock.now() })
  serveConsole(app, addPerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => add(changing(), tx, administrator, input.body)),
  )
  serveConsole(app, changePerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => change(changing(), tx, administrator, input.params.uid, input.body)),
  )
  serveConsole(app, deactivatePerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => deactivate(changing(), tx, administrator, input.params.uid)),
  )
  serveConsole(app, reactivatePerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => reactivate(changing(), tx, administrator, input.params.uid)),
  )
  signInActsRoutes(app)
}

function signInActsRoutes(app: FastifyInstance) {
  const { config, jobs, secrets, system, clock } = app
  const acting = () => ({ config, jobs, secrets, system, clock, now: clock.now() })
  serveConsole(app, changePeople, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => changeMany(acting(), tx, administrator, input.body)),
  )
  serveConsole(app, movePeople, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => moveFrom(acting(), tx, administrator, input.body)),
  )
  serveConsole(app, invitePerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => inviteByMail(acting(), tx, administrator, input.params.uid)),
  )
  serveConsole(app, showInvitation, async ({ administrator, input, writeWithAccounts }) => {
    const { invitationUid, ...shown } = await writeWithAccounts((tx) =>
      makeShown(acting(), tx, administrator, input.params.uid),
    )
    return { ...shown, link: invitationLink(secrets.invitations, config.appUrl)(invitationUid) }
  })
  serveConsole(app, sendPasswordLink, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) => mailPasswordLink(acting(), tx, administrator, input.params.uid)),
  )
  serveConsole(app, signOutPerson, ({ administrator, input, writeWithAccounts }) =>
    writeWithAccounts((tx) =>
      signOutEverywhere(acting(), tx, administrator, input.params.uid, input.body.take_off_duty),
    ),
  )
}
