import { type Call, createCaller } from './client.ts'

/** What a phone sends, from a program that is no browser. An answer that never comes is an error. */
export const callerOf = (address: string, token?: string, patienceMs?: number): Call =>
  createCaller(async ({ method, url, body, headers }) => {
    const response = await fetch(address + url, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(patienceMs && { signal: AbortSignal.timeout(patienceMs) }),
    })
    return { status: response.status, json: await response.json() }
  })
