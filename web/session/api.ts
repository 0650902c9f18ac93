import { ApiError, createCaller, type WireRequest } from '#kernel/client/client.ts'
import { deviceHeader, idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '../lib/new-key.ts'
import { endSession } from './session-end.ts'
import { getAuth, getDevice, keepDevice, type StoredAuth } from './stored-auth.ts'

const timeout = 10_000

/**
 * Calls the API from the browser: `call('GET /api/user', {})`. Throws ApiError, or AbortError if the given signal was
 * aborted.
 */
export const call = createCaller(async (request) => {
  const sentWith = getAuth()?.access_token
  const response = await send(request, sentWith)
  const auth = getAuth()
  // A token that a rejoin has replaced may be rejected without ending the new session.
  const ended = response.status === 401 && !request.url.includes('eventpoll') && auth?.access_token === sentWith
  // The warden first reads that the event, or their place in it, is over. A link session ended with it; the list
  // will get that 401.
  if (!ended || auth?.event.goToReportInListPage) return response
  const rejoining = auth?.rejoining
  if (!rejoining || rejoining.key === request.headers?.[idempotencyKeyHeader]) {
    if (!(await endIsAnnounced(auth))) await endSession({ byServer: true })
  } else {
    // The rejoin has replaced the token, and its answer was lost. Writes are not repeated: they were meant for the old
    // assignment.
    await (await import('./finish-rejoin.ts')).finishRejoin(call)
    if (request.method === 'GET') return send(request, getAuth()?.access_token)
  }
  return response
})

const endIsAnnounced = async (auth: StoredAuth | null) =>
  auth?.isReportInToken && auth.on_duty && (await import('./announce-ending.ts')).announceEnding(call)

/**
 * Requests that were made ahead: by `boot.js` before the program loaded, or by `askAhead`. The first identical request of
 * the same session uses the newest answer.
 */
declare global {
  var asked: EarlyRequest[] | undefined
}
export interface EarlyRequest {
  url: string
  authorization: string | undefined
  body: string | undefined
  /** Until when the answer may be used, so that it does not pass for newer than it is. Milliseconds of the phone's clock. */
  until: number
  answer: Promise<Response>
  stop(): void
}

function takeEarlyAnswer(request: Pick<EarlyRequest, 'url' | 'authorization' | 'body'>, signal: AbortSignal) {
  const fits = ({ url, authorization, body }: EarlyRequest) =>
    url === request.url && authorization === request.authorization && body === request.body
  const early = globalThis.asked?.findLast(fits)
  if (!early) return undefined
  globalThis.asked = globalThis.asked?.filter((other) => !fits(other))
  if (Date.now() > early.until) return void early.stop()
  signal.addEventListener('abort', early.stop)
  return early.answer
}

const headersOf = (accessToken: string | undefined) => ({
  Accept: 'application/json',
  'Content-Type': 'application/json',
  ...(accessToken && { Authorization: accessToken }),
})

/** Milliseconds. A list says to the second as of when it is. */
const aheadFor = 2000

/**
 * Sends a read that the next screen will make, beside what it must wait for, unless that was done within the last second. The
 * screen's own call takes the answer.
 */
export const askAhead = createCaller(async ({ url }) => {
  const authorization = getAuth()?.access_token
  const isNew = ({ until }: EarlyRequest) => until - Date.now() > aheadFor / 2
  if (globalThis.asked?.some((early) => early.url === url && early.authorization === authorization && isNew(early)))
    return { status: 202, json: undefined }
  const limit = new AbortController()
  const answer = fetch(url, { method: 'GET', signal: limit.signal, headers: headersOf(authorization) })
  answer.catch(() => undefined)
  const early = { url, authorization, body: undefined, until: Date.now() + aheadFor, answer, stop: () => limit.abort() }
  globalThis.asked = [...(globalThis.asked ?? []), early]
  return { status: 202, json: undefined }
})

/** One request with its time limit. Throws ApiError or AbortError. */
export async function send({ method, url, body, signal, headers }: WireRequest, accessToken: string | undefined) {
  const limit = new AbortController()
  const stop = () => limit.abort()
  const device = accessToken ? null : getDevice()
  const timer = setTimeout(stop, timeout)
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const ask = () =>
      fetch(url, {
        method,
        signal: limit.signal,
        headers: {
          ...headersOf(accessToken),
          ...(device && { [deviceHeader]: device }),
          ...(method !== 'GET' && { [idempotencyKeyHeader]: newKey() }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      })
    const early = takeEarlyAnswer({ url, authorization: accessToken, body: sent }, limit.signal)
    // a guess that got no answer costs nothing but itself
    const response = await (early?.catch(ask) ?? ask())
    keepDevice(response.headers.get(deviceHeader))
    return { status: response.status, json: await readJson(response) }
  } catch (error) {
    if (signal?.aborted) throw new DOMException('The call was cancelled', 'AbortError')
    throw error instanceof ApiError ? error : new ApiError('unreachable', 'No connection')
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Checks that our server answered. It may be a proxy's error page, or a captive portal's sign-in page with status 200.
 */
async function readJson(response: Response): Promise<unknown> {
  const json: unknown = await response.json().catch((error) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return undefined
  })
  const refusal = json as { error?: unknown; message?: unknown } | null | undefined
  if (json !== undefined && (response.ok || refusal?.error)) return json
  // The code may be in `message` only. Any other text there may come from a proxy.
  if (/^[a-z]+(_[a-z]+)+$/.test(String(refusal?.message))) return { ...refusal, error: refusal?.message }
  throw new ApiError(response.status >= 500 ? 'unavailable' : 'unreachable', 'No answer', response.status)
}
