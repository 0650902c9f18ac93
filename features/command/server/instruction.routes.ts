import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import {
  getInstruction,
  listInstructions,
  previewInstruction,
  sendInstruction,
  understand,
} from '../calls/instructions.ts'
import { noteUnderstood, presentInstructions, presentNotYet, preview, send } from './instruction.service.ts'

export async function instructionRoutes(app: FastifyInstance) {
  serve(app, listInstructions, ({ actor, read }) => read((tx) => presentInstructions(tx, onDuty(actor))))
  serve(app, previewInstruction, ({ actor, input, read }) =>
    read((tx) => preview(tx, onDuty(actor), input.body.floors)),
  )
  serve(app, sendInstruction, ({ actor, input, write }) => write((tx) => send(tx, onDuty(actor), input.body)))
  serve(app, getInstruction, ({ actor, input, read }) =>
    read((tx) => presentNotYet(tx, onDuty(actor), { ...input.params, ...input.query })),
  )
  serve(app, understand, ({ actor, input, write }) =>
    write((tx) => noteUnderstood(tx, onDuty(actor), input.params.uid)),
  )
}
