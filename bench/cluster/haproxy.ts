import { writeFileSync } from 'node:fs'

/** haproxy stops using a node that is not ready within this time. DRAIN_SECONDS must be longer. */
const check = { everyMs: 500, failures: 2 }
export const drainSeconds = Math.ceil((check.everyMs * check.failures) / 1000) + 1

/** The load balancer in front of the nodes. Any request and any socket can go to any node. */
export function writeHaproxyConfig(file: string, port: number, nodePorts: readonly number[]) {
  const servers = nodePorts.map((node, at) => `  server node${at + 1} 127.0.0.1:${node}`)
  writeFileSync(file, `${lines(port)}\n${servers.join('\n')}\n`)
}

const lines = (port: number) => `defaults
  mode http
  timeout connect 1s
  timeout http-request 10s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h

frontend evac
  bind 127.0.0.1:${port}
  default_backend nodes

backend nodes
  balance leastconn
  option httpchk
  http-check send meth GET uri /health/ready
  http-check expect status 200
  default-server check inter ${check.everyMs}ms fall ${check.failures} rise 1
  # the nodes trust this header (TRUST_PROXY), so a client's own value must not get through
  http-request set-header X-Forwarded-For %[src]
  # if a node dies before it answers, another node gets the request, provided that it may be sent twice
  retries 2
  option redispatch 1
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless { method GET } || { req.hdr(Idempotency-Key) -m found }`

/**
 * In front of the database. Connections go to the server that Patroni calls the primary. Any other server loses its
 * sessions.
 */
export const databaseHaproxyConfig = (
  port: number,
  members: readonly { name: string; postgresPort: number; restPort: number }[],
) => `defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1d
  timeout server 1d

listen database
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map((one) => `  server ${one.name} 127.0.0.1:${one.postgresPort} port ${one.restPort}`).join('\n')}
`
