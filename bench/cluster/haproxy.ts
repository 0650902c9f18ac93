import { writeFileSync } from 'node:fs'

/** A node that says 'not ready' is out of use within this time: DRAIN_SECONDS must be more. */
const check = { everyMs: 500, failures: 2 }
export const drainSeconds = Math.ceil((check.everyMs * check.failures) / 1000) + 1

/** The balancer before the nodes: any request, any socket, any node. */
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

frontend door
  bind 127.0.0.1:${port}
  default_backend nodes

backend nodes
  balance leastconn
  option httpchk
  http-check send meth GET uri /health/ready
  http-check expect status 200
  default-server check inter ${check.everyMs}ms fall ${check.failures} rise 1
  # the nodes believe this header (TRUST_PROXY), so what a client sent as such must not get through
  http-request set-header X-Forwarded-For %[src]
  # a node died before it answered: another is asked, if what was asked may come twice
  retries 2
  option redispatch 1
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless { method GET } || { req.hdr(Idempotency-Key) -m found }`

/** Before the members of a database: to the one that Patroni calls the primary. A server found not to be it loses its sessions. */
export const databaseDoor = (
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
