import { Product } from '../rig/product.ts'
import { isServing, Program } from '../rig/program.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { benchUnderAttack } from './attack/under-attack.ts'
import { benchBoard } from './board/board.ts'
import { benchCommand } from './board/command.ts'
import { benchUnknownOrganisation } from './console/import-unknown.ts'
import { benchLists } from './console/lists.ts'
import { benchOneChange } from './console/one-change.ts'
import { benchActions } from './load/actions.ts'
import { benchCrowdedEvent } from './load/crowded-event.ts'
import { benchEventStart } from './load/event-start.ts'
import { benchFanOut, crowdSizes } from './load/fan-out.ts'
import { benchImport } from './load/import.ts'
import { benchPeers } from './load/peers.ts'
import { benchReconnect } from './load/reconnect.ts'
import { benchRecordStatus } from './load/record-status.ts'
import { benchSockets } from './load/sockets.ts'
import { benchSurge } from './load/surge.ts'
import { benchTwoNodes } from './load/two-nodes.ts'
import { benchRecords, benchSealing } from './records/records.ts'
import { type Row, report } from './report/report.ts'
import { benchFirstLoad } from './screens/first-load.ts'
import { benchFloorPages } from './screens/floor-page.ts'
import { benchSafety } from './screens/safety.ts'
import { benchScroll } from './screens/scroll.ts'
import { benchSheet } from './screens/sheet.ts'
import type { SizedWorld } from './screens/sizes.ts'
import { seedWorld } from './seed/seed.ts'
import { benchSignInFlood } from './sign-in/sign-in-flood.ts'
import { benchSignInTiming } from './sign-in/sign-in-timing.ts'
import { benchReach } from './texts/reach.ts'
import { benchTexts } from './texts/texts.ts'

const parts = process.argv.slice(2)
/** 'search' is a figure of two parts. */
const searching = ['floor-page', 'safety']
const wants = (part: string) =>
  parts.length === 0 || parts.includes(part) || (parts.includes('search') && searching.includes(part))
const barePort = await findFreePort()
const bareUrl = `http://127.0.0.1:${barePort}`

const product = await Product.start()
const bare = new Program({
  command: process.execPath,
  args: ['bench/baseline/bare-server.ts'],
  env: { BARE_PORT: String(barePort), BARE_DATABASE: JSON.stringify(product.database) },
  isReady: () => isServing(bareUrl),
})
await bare.start()
const rows: Row[] = []
try {
  if (wants('fan-out')) {
    const most = Math.max(...crowdSizes)
    console.log(`Seeding ${most.toLocaleString('en')} wardens …`)
    const crowd = await seedWorld(product.pool, { evacuees: 1000, wardens: most })
    rows.push(...(await benchFanOut(product, bare, bareUrl, crowd)), ...(await benchCrowdedEvent(product)))
  }
  if (parts.includes('sockets')) rows.push(...(await benchSockets(product)))
  if (wants('surge')) rows.push(...(await benchSurge(product.url, bareUrl, product.pool)))
  if (wants('reconnect')) rows.push(...(await benchReconnect(bare, bareUrl)))
  const wardens = 1000
  console.log(`Seeding 1,000 evacuees and ${wardens} wardens …`)
  const small = await seedWorld(product.pool, { evacuees: 1000, wardens })
  if (wants('peers')) rows.push(...(await benchPeers(product, small)))
  if (wants('record-status')) {
    // a second world: the bare server keeps no tallies, so the tallies of this world become wrong
    const other = await seedWorld(product.pool, { evacuees: 1000, wardens })
    rows.push(...(await benchRecordStatus(product.url, small, bareUrl, other)))
  }
  if (wants('floor-page') || wants('safety')) {
    const sizes: SizedWorld[] = [{ evacuees: 1000, world: small }]
    for (const evacuees of (process.env.BENCH_EVACUEES ?? '100000,1000000').split(',').map(Number)) {
      console.log(`Seeding ${evacuees.toLocaleString('en')} evacuees …`)
      sizes.push({ evacuees, world: await seedWorld(product.pool, { evacuees, wardens: 1 }) })
    }
    if (wants('floor-page')) rows.push(...(await benchFloorPages(product.url, sizes)))
    if (wants('safety')) rows.push(...(await benchSafety(product.url, sizes)))
  }
  if (wants('two-nodes'))
    rows.push(...(await benchTwoNodes(product, await seedWorld(product.pool, { evacuees: 1000, wardens }))))
  if (wants('scroll')) rows.push(...(await benchScroll(product.url, product.pool)))
  if (wants('sheet')) rows.push(...(await benchSheet(product.url, product.pool)))
  if (wants('first-load')) rows.push(...(await benchFirstLoad(product, bareUrl, small)))
  if (wants('texts')) rows.push(...(await benchTexts()))
  if (wants('reach')) rows.push(...(await benchReach()))
  if (wants('import')) rows.push(...(await benchImport()))
  if (wants('console'))
    rows.push(...(await benchLists()), ...(await benchOneChange()), await benchUnknownOrganisation())
  if (wants('records')) rows.push(...(await benchRecords()), ...(await benchSealing()))
  if (wants('actions')) rows.push(...(await benchActions()))
  if (wants('board')) rows.push(...(await benchBoard()), ...(await benchCommand()))
  if (wants('sign-in-timing')) rows.push(...(await benchSignInTiming(product.url, product.pool)))
  if (wants('sign-in-flood')) rows.push(...(await benchSignInFlood()))
  if (wants('under-attack')) rows.push(...(await benchUnderAttack()))
  if (wants('event-start')) rows.push(...(await benchEventStart(product.url, bareUrl, product.pool, 100_000)))
} finally {
  report(rows) // also when a part has failed, to keep what was measured
  await bare.stop() // its connections would keep the database running
  await product.stop()
}
