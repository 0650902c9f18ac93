import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { exportRecord, getExport } from '#features/exports/calls.ts'
import { getLogOfHeads } from '#features/log/calls.ts'
import type { Product } from '../../rig/product.ts'
import { percentile, type Row } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import type { PastEvent } from './past-event.ts'

const project = resolve(import.meta.dirname, '../..')
const heads = 100_000
const repeats = 10

/** What it costs to check a log of so many entries, from outside and on the server, and to sign beside so many heads. */
export async function logRows(product: Product, event: PastEvent): Promise<Row[]> {
  const entries = event.entries.toLocaleString('en')
  const folder = mkdtempSync(join(tmpdir(), 'evac-bench-'))
  try {
    const bundle = join(folder, 'record.zip')
    writeFileSync(bundle, await bundleOf(event))
    const outside = await measured(['check/record-check.mjs', bundle])
    const inside = await measured(['server/commands/check-logs-main.ts'], product.settings)
    return [
      { name: `record-check.mjs of ${entries} entries, CPU s`, value: outside.cpuSeconds, target: '<= 12 s' },
      { name: 'its memory, MB', value: outside.megabytes, target: '<= 200 MB' },
      { name: `check-logs of ${entries} entries, s`, value: inside.seconds },
      { name: 'its memory, MB', value: inside.megabytes },
      await signingRow(product, event),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function bundleOf({ call, eventUid }: PastEvent): Promise<Buffer> {
  const body = { format: 'bundle', names: 'none' } as const
  const { uid } = await call(exportRecord, { params: { eventUid: eventUid as never }, body })
  for (;;) {
    const { state, url, message } = await call(getExport, { params: { uid } })
    if (url) return Buffer.from(await (await fetch(url)).arrayBuffer())
    if (state === 'failed') throw new Error(`The bundle failed: ${message}`)
    await delay(200)
  }
}

/** Tells at its end what the program has used. Its memory as the system has it: `maxRSS` begins with that of the process which forked it. */
const telling = `data:text/javascript,import{readFileSync as r}from'node:fs';process.on('exit',()=>{const{userCPUTime:u,systemCPUTime:s}=process.resourceUsage();process.send([(u+s)/1e6,/VmHWM:\\s+(\\d+)/.exec(r('/proc/self/status','utf8'))[1]/1024])})`

async function measured(words: readonly string[], env: Record<string, string> = {}) {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import', telling, ...words], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let used = [Number.NaN, Number.NaN]
  child.on('message', (told) => (used = told as number[]))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}.`)
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: used[0] ?? 0, megabytes: used[1] ?? 0 }
}

/** The checkpoint of the log of heads, made and signed anew for each head that is added. */
async function signingRow({ pool }: Product, { call, clientUid }: PastEvent): Promise<Row> {
  const add = (count: number) =>
    pool.query(
      `insert into head_log (client_uid, n, event_uid, size, root, note, hash, epoch)
       select $1, l.n + i, gen_random_uuid(), i, sha256(i::text::bytea), '', sha256(gen_random_uuid()::text::bytea), 'bench'
       from (select coalesce(max(n), 0) as n from head_log) l, generate_series(1, $2::int) i`,
      [clientUid, count],
    )
  await add(heads)
  const times: number[] = []
  for (let n = -2; n < repeats; n++) {
    await add(1)
    const { ms } = await timed(() => call(getLogOfHeads, {}))
    if (n >= 0) times.push(ms)
  }
  return {
    name: `signing beside ${heads.toLocaleString('en')} heads, ms`,
    value: percentile(times, 50),
    target: '<= 150 ms',
  }
}
