import { getBrief } from '@evac/contract/calls/command/brief.ts'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../http/http.ts'
import { onDuty } from '../../wardens/actor.ts'
import { briefCommand } from '../command/command.service.ts'
import { briefInstruction } from '../command/instruction.service.ts'
import { briefCoverage } from '../coverage/coverage.service.ts'

export async function briefRoutes(app: FastifyInstance) {
  serve(app, getBrief, ({ actor, read }) =>
    read(async (tx) => ({
      command: await briefCommand(tx, onDuty(actor), app.clock.now()),
      instruction: await briefInstruction(tx, onDuty(actor)),
      ...(await briefCoverage(tx, onDuty(actor))),
    })),
  )
}
