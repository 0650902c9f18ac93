import type { FastifyInstance } from 'fastify'
import { serveConsole } from '#server/http/serve.ts'
import { addGroup, changeGroup, changeMembers, getGroup, listGroups } from '../../calls/groups.ts'
import { add, change, list, present, setMembers } from './groups.service.ts'

export async function groupsRoutes(app: FastifyInstance) {
  serveConsole(app, listGroups, ({ administrator, input, read }) =>
    read((tx) => list(app, tx, administrator, input.query)),
  )
  serveConsole(app, getGroup, ({ administrator, input, read }) =>
    read((tx) => present(tx, administrator, input.params.uid)),
  )
  serveConsole(app, addGroup, ({ administrator, input, write }) => write((tx) => add(tx, administrator, input.body)))
  serveConsole(app, changeGroup, ({ administrator, input, write }) =>
    write((tx) => change(tx, administrator, input.params.uid, input.body)),
  )
  serveConsole(app, changeMembers, ({ administrator, input, write }) =>
    write((tx) => setMembers(tx, administrator, input.params.uid, input.body)),
  )
}
