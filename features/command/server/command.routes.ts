import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { getCommand, handOver as handOverCall, takeCommand as takeCommandCall } from '../calls/command.ts'
import { commandState, handOver, takeCommand } from './command.service.ts'

export async function commandRoutes(app: FastifyInstance) {
  serve(app, getCommand, ({ actor, read }) => read((tx) => commandState(tx, onDuty(actor))))
  serve(app, handOverCall, ({ actor, input, write }) => write((tx) => handOver(tx, onDuty(actor), input.body)))
  serve(app, takeCommandCall, ({ actor, input, write }) => write((tx) => takeCommand(tx, onDuty(actor), input.body)))
}
