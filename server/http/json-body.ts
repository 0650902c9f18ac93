import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors.ts'
import { isTooComplex } from './body-size.ts'

type Done = (error: Error | null, body?: unknown) => void

/**
 * Parses JSON within the limits of the call's schema. Bodies that are too deep, or have far too many names, are
 * rejected before parsing. An empty text means no body, because clients send the JSON content type without a body too.
 * `onText` gets each text.
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
