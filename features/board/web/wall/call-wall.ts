import { ApiError, createCaller } from '#kernel/client/client.ts'

const timeout = 10_000

/** No session is sent, whoever is signed in at this browser. Throws ApiError. */
export const callWall = createCaller(async ({ method, url, body }) => {
  const request = { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await fetch(url, { ...request, credentials: 'omit', signal: AbortSignal.timeout(timeout) })
  const json: unknown = await response.json().catch(() => undefined)
  const isOurs = typeof json === 'object' && json !== null && (response.ok || 'error' in json)
  if (!isOurs) throw new ApiError('unavailable', 'No answer', response.status)
  return { status: response.status, json }
})
