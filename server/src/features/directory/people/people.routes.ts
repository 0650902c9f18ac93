import { listPeople, listPeopleChoices } from '@evac/contract/calls/console/people.ts'
import type { FastifyInstance } from 'fastify'
import { serveConsole } from '../../../http/http.ts'
import { list, listChoices } from './people.service.ts'

export async function peopleRoutes(app: FastifyInstance) {
  const { system, secrets, config, clock } = app
  const reading = () => ({ system, secrets, config, now: clock.now() })
  serveConsole(app, listPeople, ({ administrator, input, read }) =>
    read((tx) => list(reading(), tx, administrator, input.query)),
  )
  serveConsole(app, listPeopleChoices, ({ administrator, read }) => read((tx) => listChoices(tx, administrator)))
}
