import { instructionReaches } from '#features/command/server/instruction-reaches.queries.ts'
import { sweepReaches } from '#features/reach/server/sweep.service.ts'
import type { TestServer } from './test-server.ts'

/** The worker's part, run when the test says so: takes every step that is due to reach someone. */
export const takeDueSteps = ({ db, app, config }: TestServer, { canCall = false } = {}): Promise<void> =>
  sweepReaches({
    system: db,
    jobs: app.jobs,
    appUrl: config.appUrl,
    canPush: config.webPushContact !== '',
    canCall,
    sources: [instructionReaches],
  })
