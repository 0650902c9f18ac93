import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors.ts'
import { isTooComplex } from './body-size.ts'

type Done = (error: Error | null, body?: unknown) => void

/**
 * Reads JSON of the shape that the call's schema describes; what is deeper, or has far more names, is turned down before
 * it is parsed. No text is no body: every request says JSON, also those without one (API-03). `onText` hears each text.
 */
export function acceptJson(app: FastifyInstance, onText?: (request: FastifyRequest, text: string) => void): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done: Done) => {
    const text = body as string
    onText?.(request, text)
    if (text === '') return done(null)
    const { largestBody } = request.routeOptions.config
    if (largestBody && isTooComplex(text, largestBody)) return done(new Refusal('invalid_request'))
    parseJson(request, text, done)
  })
}
