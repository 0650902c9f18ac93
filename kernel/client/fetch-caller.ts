import { type Call, createCaller } from './client.ts'

/** A caller for programs that are not browsers. A missing answer is an error. */
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
