import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMissing, startCluster } from './cluster.ts'

/** `npm run cluster`: two nodes behind haproxy until ^C. */
const missing = findMissing()
if (missing) {
  console.error(missing)
  process.exit(1)
}
const port = Number(process.env.PORT ?? 8080)
const folder = mkdtempSync(join(tmpdir(), 'evac-cluster-'))
console.log('Starting two nodes …')
const cluster = await startCluster({ port, folder })
console.log(`
  Ready: ${cluster.url} (haproxy), nodes at ports ${port + 1} and ${port + 2}
  Configuration and logs: ${folder}
`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    console.log('Stopping …')
    await cluster.stop()
    process.exit(0)
  })
