import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createRandom } from '../rig/random.ts'
import { judge } from './checker.ts'
import { gatherCrowd } from './crowd.ts'
import { readFinalState } from './evidence/final-state.ts'
import { History } from './evidence/history.ts'
import { faultKinds, injectFaults, unavailable, untilServing } from './nemesis.ts'
import { lineOf, storyOf, summaryOf } from './report.ts'
import { type Stage, setUpStage } from './stage.ts'
import { Office } from './upload-during-event.ts'

/** Enough for the longest pause of an outbox and one more try. */
const settlingMs = 90_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string', default: '' },
    upload: { type: 'string', default: '50000' },
    undo: { type: 'boolean', default: false },
  },
})
/** Patience for each row of the upload, on a busy machine. */
const msPerRow = values.undo ? 4 : 2
const minutes = Number(values.minutes)
const seed = Number(values.seed)
const random = createRandom(seed)
const history = new History()

console.log(
  `seed ${seed}: run it again with  npm run test:faults -- --minutes ${minutes} --seed ${seed}${values.only && ` --only '${values.only}'`}`,
)
const stage = await setUpStage(random, history.copies, Number(values.upload))
let isKept = false
try {
  isKept = await perform()
} finally {
  if (!isKept) console.log(`\nThe processes' logs:\n${await stage.keepLogs()}`)
  await stage.stop()
}
process.exit(isKept ? 0 : 1)

async function perform(): Promise<boolean> {
  const missing = unavailable(stage)
  for (const [kind, reason] of Object.entries(missing)) console.log(`skipped   ${kind}: ${reason}`)
  const kinds = Object.keys(faultKinds).filter((kind) => !(kind in missing) && kind.includes(values.only))
  const crowd = await gatherCrowd(stage, history, random)
  crowd.start()
  const office = await Office.open(stage, Number(values.upload), values.undo)
  const stopOffice = new AbortController()
  const work = office.work(stopOffice.signal)
  await delay(5_000)
  await injectFaults(stage, {
    random: random.fork('nemesis'),
    until: Date.now() + minutes * 60_000,
    kinds,
    onFault: (fault) => {
      history.faults.push(fault)
      console.log(lineOf(fault))
    },
    onHealed: crowd.wake,
  })
  await untilServing(stage)
  console.log('All faults are over. Waiting until nothing is pending.')
  crowd.wake()
  await untilTextsAreOut(stage)
  await Promise.race([work, delay(settlingMs + Number(values.upload) * msPerRow)])
  stopOffice.abort()
  await work
  await crowd.settle(settlingMs)
  const [lastLists, lastBoards] = [await crowd.lastLists(), await crowd.lastBoards()]
  const state = await readFinalState(stage.database)
  await crowd.stop()

  const evidence = { history, state, lastLists, lastBoards, upload: office.evidence }
  const verdicts = judge(evidence)
  console.log(summaryOf(history, verdicts))
  const { people, kills, seen, undo, seconds } = office.evidence
  console.log(
    `an upload of ${people} people, its worker killed ${kills + (undo?.kills ?? 0)} times: ${seen?.state ?? 'never read'}, in seconds:`,
    seconds,
  )
  for (const verdict of verdicts) if (verdict.broken.length > 0) console.log(storyOf(verdict, evidence))
  return verdicts.every(({ broken }) => broken.length === 0)
}

/**
 * Waits until no text is queued or handed over. After a fault the worker reconnects within ten seconds and its leases
 * end.
 */
async function untilTextsAreOut({ database }: Stage): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  for (const end = Date.now() + settlingMs; Date.now() < end; await delay(500)) {
    const { rows } = await client.query(
      `select count(*)::int as waiting from sms where status in ('queued', 'handed_over') and created_at < now() - interval '1 second'`,
    )
    if (rows[0].waiting === 0) break
  }
  await client.end()
}
