import type { FastifyInstance } from 'fastify'
import { serve } from '#server/http/serve.ts'
import { requestPasswordReset, resetPassword } from '../../calls/password-reset.ts'
import { requestReset, resetsPasswords, setPassword } from './password-reset.service.ts'

/** Registered only if this program resets passwords and can send mail. */
export async function passwordResetRoutes(app: FastifyInstance) {
  if (!resetsPasswords(app.config)) return
  serve(app, requestPasswordReset, ({ input, network }) => requestReset(app, input.body.email, network))
  serve(app, resetPassword, ({ input, network }) => setPassword(app, input.body, network))
}
