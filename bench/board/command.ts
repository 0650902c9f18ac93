import { sendInstruction } from '#features/command/calls/instructions.ts'
import { claimFloor } from '#features/coverage/calls/coverage.ts'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { createEvent } from '#features/events/calls/events.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { Product } from '../../rig/product.ts'
import { inTurns } from '../crowd/in-turns.ts'
import { followEvent, recordStatus } from '../load/fan-out.ts'
import { everyBuilding } from '../records/past-event.ts'
import { percentile, type Row, withBaseline } from '../report/report.ts'
import { timed } from '../report/timed.ts'
import { seedSite } from '../seed/seed-site.ts'

const changes = Number(process.env.BENCH_CHANGES ?? 40)
const phones = 1000
const gaps = 100

/** An instruction to 1,000 phones beside a status, and 1,000 wardens who take 100 floors at once. */
export async function benchCommand(): Promise<Row[]> {
  const product = await Product.start()
  try {
    const world = await seedCommand(product)
    return [...(await fanOut(product, world)), ...(await claims(product, world))]
  } finally {
    await product.stop()
  }
}

type CommandWorld = Awaited<ReturnType<typeof seedCommand>>

/** An event of 1,100 floors. The wardens of 1,000 are on duty. */
async function seedCommand({ pool, url }: Product) {
  const { token, clientUid, wardenTokens } = await seedSite(pool, { occupants: 1000, buildings: 25, floors: 44 })
  const chief = callerOf(url, token)
  const body = { ...(await everyBuilding(chief)), broadcastMessage: 'no', alertToWarden: 'no' } as const
  const { event } = await chief(createEvent, { body })
  const tokens = wardenTokens.slice(0, phones)
  await inTurns(tokens, 50, (warden) => callerOf(url, warden)(reportIn, { body: null }))
  const people = await pool.query(
    `select person_uid as "personUid", floor_uid as "floorUid" from evacuee where client_uid = $1 limit 1`,
    [clientUid],
  )
  const open = await pool.query(
    `select f.uid from floor f where f.client_uid = $1 and not exists (select from assignment_location l
       join warden_sign_in si on si.client_uid = l.client_uid and si.assignment_uid = l.assignment_uid and si.on_duty
       where l.client_uid = f.client_uid and l.floor_uid = f.uid)`,
    [clientUid],
  )
  await pool.query('vacuum analyze')
  const gapsOf: string[] = open.rows.map(({ uid }) => uid)
  if (gapsOf.length !== gaps) throw new Error(`${gapsOf.length} floors are without a warden, not ${gaps}`)
  return { chief, eventUid: event?.id as string, tokens, people: people.rows, gaps: gapsOf }
}

/** From sending until the last phone has it. Instructions and statuses take turns. */
async function fanOut({ url }: Product, world: CommandWorld): Promise<Row[]> {
  const crowd = await followEvent(url, world, phones)
  const times = { instruction: [] as number[], status: [] as number[] }
  for (let change = 0; change < changes; change++) {
    times.status.push(...(await crowd.timeChange(() => recordStatus(url, world, change))))
    const body = { kind: 'evacuate', message: `Leave now (${change}).`, floors: 'all', text: 'no' } as const
    times.instruction.push(...(await crowd.timeChange(() => world.chief(sendInstruction, { body }))))
  }
  await crowd.leave()
  return [50, 99].map((p) =>
    withBaseline(
      `instruction to 1,000 phones beside a status, p${p} ms`,
      percentile(times.instruction, p),
      percentile(times.status, p),
      '<= 2',
    ),
  )
}

/** COV-11: ten wardens press for each floor at the same moment. */
async function claims({ url }: Product, { tokens, gaps: floors }: CommandWorld): Promise<Row[]> {
  const { ms, result } = await timed(() =>
    Promise.allSettled(
      tokens.map((token, n) => callerOf(url, token)(claimFloor, { body: { floorId: floors[n % gaps] as never } })),
    ),
  )
  const told = result.filter(
    (answer) => answer.status === 'rejected' && /has just taken it\. Thank you\.$/.test(answer.reason.message),
  )
  const name = '1,000 wardens take 100 floors at once'
  return [
    { name: `${name}: stand`, value: result.filter(({ status }) => status === 'fulfilled').length, target: '= 100' },
    { name: `${name}: told who has the floor`, value: told.length, target: '= 900' },
    { name: `${name}: until the last answer, ms`, value: ms },
  ]
}
