import type { Me } from '#features/sign-in/calls/console-sign-in.ts'
import { ApiError, createCaller, type WireRequest } from '#kernel/client/client.ts'
import { consoleRefusals } from '#kernel/console-words.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '../lib/new-key.ts'
import { phoneStorage } from '../lib/phone-storage.ts'
import { sentenceFor } from '../lib/refusal-sentences.ts'
import { createStore, type Store } from '../lib/store.ts'
import { send } from './api.ts'

/** Local storage key `console`. The wardens' `auth` knows nothing of it. */
const key = 'console'

/** The console token of this browser. Null while no one is signed in. */
export const consoleTokenStore = createStore<string | null>(phoneStorage.get(key))
/** True after the server has ended the session: the sign-in page says so. */
export const consoleEndedStore = createStore(false)

// signed in or out in another tab
addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key || changed === null) consoleTokenStore.set(newValue)
})

export function openConsole({ access_token }: { access_token: string; me: Me }) {
  phoneStorage.set(key, access_token)
  consoleEndedStore.set(false)
  consoleTokenStore.set(access_token)
}

export function closeConsole({ byServer = false } = {}) {
  phoneStorage.remove(key)
  consoleEndedStore.set(byServer)
  consoleTokenStore.set(null)
}

/** A confirmed call that waits for a code. `done(false)` gives up. */
interface Confirmation {
  done: (confirmed: boolean) => void
}
export const confirmationStore: Store<Confirmation | null> = createStore<Confirmation | null>(null)

const askForCode = () =>
  new Promise<boolean>((resolve) => {
    const done = (confirmed: boolean) => {
      confirmationStore.set(null)
      resolve(confirmed)
    }
    confirmationStore.set({ done })
  })

/**
 * Calls the API as the administrator: `consoleCall('GET /api/console/me', {})`. A call that needs a code asks for it and
 * goes on. Throws ApiError, or AbortError.
 */
export const consoleCall = createCaller(async (request) => {
  const token = consoleTokenStore.get()
  // the same key for both tries: the change is made once
  const headers = { ...(request.method !== 'GET' && { [idempotencyKeyHeader]: newKey() }), ...request.headers }
  const response = await sendAs(token, { ...request, headers })
  if (codeOf(response) === 'confirm_identity' && (await askForCode())) return sendAs(token, { ...request, headers })
  // a public call is refused for its ticket, not for the session
  if (response.status === 401 && token && token === consoleTokenStore.get() && !isPublic(request))
    closeConsole({ byServer: true })
  return response
})

const sendAs = (token: string | null, request: WireRequest) =>
  send(request, token && !isPublic(request) ? `Bearer ${token}` : undefined)

const isPublic = ({ url }: WireRequest) => /^\/api\/console\/(set-up|sign-in|invitation)(\/|$)/.test(url)

const codeOf = ({ status, json }: { status: number; json: unknown }) =>
  status === 403 ? (json as { error?: string }).error : undefined

/** Codes whose message the server words for this very case. */
const worded = new Set<ApiError['code']>([
  ...([
    'too_many_attempts',
    'invalid_request',
    'forbidden',
    'taken',
    'in_event',
    'changed_since',
    'in_use',
    'on_duty',
    'invalid_transition',
    'busy',
    'unavailable',
    'body_too_large',
  ] as const),
])

/** What an administrator reads for a failed call. */
export function consoleSentence(error: unknown): string {
  if (!(error instanceof ApiError)) return sentenceFor(error)
  // an input that breaks the contract's schema has no words for a person
  if (worded.has(error.code) && !error.fields[0]?.startsWith('body')) return error.message
  return error.code in consoleRefusals
    ? consoleRefusals[error.code as keyof typeof consoleRefusals]
    : sentenceFor(error)
}

/** Reads a file of the console as the administrator. Throws ApiError. */
export async function readConsoleFile(url: string): Promise<Blob> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${consoleTokenStore.get()}` } }).catch(() => {
    throw new ApiError('unreachable', 'No connection')
  })
  if (response.ok) return response.blob()
  if (response.status === 401) closeConsole({ byServer: true })
  throw new ApiError('unavailable', 'No answer', response.status)
}

/** Sends a file in place of JSON. Throws ApiError with the reason of a refused file. */
export async function sendConsoleFile<T>(url: string, file: Blob): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${consoleTokenStore.get()}`, 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => {
    throw new ApiError('unreachable', 'No connection')
  })
  const json = await response.json().catch(() => ({ error: 'unavailable', message: 'No answer' }))
  if (response.ok) return json
  if (response.status === 401) closeConsole({ byServer: true })
  throw new ApiError(json.error, json.message, response.status, json)
}
