import { reading, routes } from '#server/http/routes.ts'
import * as calls from '../calls/instructions.ts'
import { noteUnderstood, presentInstructions, presentNotYet, preview, send } from './instruction.service.ts'

export const instructionRoutes = routes(calls, {
  listInstructions: ({ tx, actor }) => presentInstructions(tx, actor),
  previewInstruction: reading(({ tx, actor, body }) => preview(tx, actor, body.floors)),
  sendInstruction: ({ tx, actor, body }) => send(tx, actor, body),
  getInstruction: ({ tx, actor, params, query }) => presentNotYet(tx, actor, { ...params, ...query }),
  understand: ({ tx, actor, params }) => noteUnderstood(tx, actor, params.uid),
})
