import { routes } from '#server/http/routes.ts'
import * as calls from '../calls/command.ts'
import { commandState, handOver, takeCommand } from './command.service.ts'

export const commandRoutes = routes(calls, {
  getCommand: ({ tx, actor }) => commandState(tx, actor),
  handOver: ({ tx, actor, body }) => handOver(tx, actor, body),
  takeCommand: ({ tx, actor, body }) => takeCommand(tx, actor, body),
})
