import {
  addPerson,
  changePerson,
  deactivatePerson,
  getPerson,
  listFloorChoices,
  listPeople,
  listPeopleChoices,
  reactivatePerson,
} from '@evac/contract/calls/console/people.ts'
import type { FastifyInstance } from 'fastify'
import { serveConsole } from '../../http/http.ts'
import { inClients } from '../../platform/db/db.ts'
import { list, listChoices } from './people.service.ts'
import { add, change, deactivate, listFloors, present, reactivate } from './person.service.ts'

export async function peopleRoutes(app: FastifyInstance) {
  const { system, secrets, config, clock } = app
  const reading = () => ({ system, secrets, config, now: clock.now() })
  serveConsole(app, listPeople, ({ administrator, input, read }) =>
    read((tx) => list(reading(), tx, administrator, input.query)),
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
}
