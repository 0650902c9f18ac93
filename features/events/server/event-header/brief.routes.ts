import type { FastifyInstance } from 'fastify'
import { briefCommand } from '#features/command/server/command.service.ts'
import { briefInstruction } from '#features/command/server/instruction.service.ts'
import { briefCoverage } from '#features/coverage/server/coverage.service.ts'
import { serve } from '#server/http/serve.ts'
import { onDuty } from '#server/wardens/actor.ts'
import { getBrief } from '../../calls/brief.ts'

export async function briefRoutes(app: FastifyInstance) {
  serve(app, getBrief, ({ actor, read }) =>
    read(async (tx) => ({
      command: await briefCommand(tx, onDuty(actor), app.clock.now()),
      instruction: await briefInstruction(tx, onDuty(actor)),
      ...(await briefCoverage(tx, onDuty(actor))),
    })),
  )
}
