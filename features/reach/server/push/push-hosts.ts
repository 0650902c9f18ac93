/** Push services of browsers. Endpoints lead to these alone, and to what the operator names. */
const usual = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com', '*.notify.windows.com']

/** Those of the four that have one name, and what the operator names. */
export const namedHosts = (others: readonly string[]): string[] =>
  [...usual, ...others].filter((host) => !host.startsWith('*.'))

/** True for an https address without a port or a name in it, at a push service. */
export function isPushEndpoint(endpoint: string, others: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || port || username || password) return false
  return [...usual, ...others].some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  )
}
