import type { FastifyInstance } from 'fastify'

const days = 180
const dayMs = 86_400_000

/** What programs ask for that look at a site: no page of ours belongs into a search engine, and whom to tell of a fault. */
export async function trustRoutes(app: FastifyInstance) {
  const text = { schema: { hide: true } }
  app.get('/robots.txt', text, (_request, reply) => reply.type('text/plain').send('User-agent: *\nDisallow: /\n'))

  app.get('/.well-known/security.txt', text, (_request, reply) => {
    const { appUrl, securityContact } = app.config
    if (!securityContact) return reply.callNotFound()
    // to the day, so that it stays the same in between
    const expires = new Date((Math.floor(app.clock.now().getTime() / dayMs) + days) * dayMs).toISOString()
    const canonical = `${appUrl}/.well-known/security.txt`
    const lines = [`Contact: ${securityContact}`, `Expires: ${expires}`, `Canonical: ${canonical}`]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
