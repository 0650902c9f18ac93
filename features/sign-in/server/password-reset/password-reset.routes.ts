import type { FastifyInstance } from 'fastify'
import { routes } from '#server/http/routes.ts'
import * as calls from '../../calls/password-reset.ts'
import { requestReset, resetsPasswords, setPassword } from './password-reset.service.ts'

/** Registered only if this program resets passwords and can send mail. */
export async function passwordResetRoutes(app: FastifyInstance) {
  if (!resetsPasswords(app.config)) return
  await app.register(resets)
}

const resets = routes(calls, {
  requestPasswordReset: ({ app, body, network }) => requestReset(app, body.email, network),
  resetPassword: ({ app, body, network }) => setPassword(app, body, network),
})
