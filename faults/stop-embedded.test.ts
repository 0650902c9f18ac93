/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../scripts/lib/free-ports.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

test('OPS-07 thirty starts and stops of the server leave no database behind, at whatever moment the signal comes', {
  timeout: 290_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'evac-stops-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  chmodSync(dataDir, 0o711) // its account may be another one
  const port = await findFreePort()
  const settings = { DATABASE_URL: '', DEMO: 'off', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' }
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const claim = join(dataDir, 'postgres/postmaster.pid')

  for (let nth = 0; nth < 30; nth++) {
    const server = spawn(process.execPath, ['server/main.ts'], {
      env: { ...process.env, ...settings },
      cwd: resolve(import.meta.dirname, '..'),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(server, 'exit')
    // one of three is told to stop while it starts, the others soon after
    if (nth % 3 === 0) await delay(100 * nth)
    else while (!(await isReady())) await delay(50)
    server.kill(signals[Math.floor(nth / 3) % signals.length])
    await ended

    // a stopping PostgreSQL removes it last
    await expect.poll(() => [nth, existsSync(claim)], { timeout: 10_000 }).toEqual([nth, false])
  }
})
