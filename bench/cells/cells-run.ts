import { loginByMobile } from '#features/sign-in/calls/sign-in.ts'
import { moveOrganisation } from './move.ts'
import { expectThat, median, post, until, verdict } from './steps.ts'
import { type Cell, signIn, startTwoCells, type TwoCells } from './two-cells.ts'

/** `npm run test:cells`: two installations and their directory as processes of their own, with real connections between them. */
const cells = await startTwoCells()
try {
  await findOwnCell(cells)
  await refuseAlike(cells)
  await sendLink(cells)
  await goWithoutDirectory(cells)
  await goWithoutOther(cells)
  await moveOrganisation(cells)
} finally {
  await cells.stop()
}
process.exitCode = verdict()

async function findOwnCell({ one, two }: TwoCells) {
  // it was imported after the start: a later round of the feed has it
  const answer = await until(
    () => signIn(one, two.organisation.chief),
    ({ status }) => status === 409,
  )
  expectThat('a sign-in at the wrong cell names the right one', answer.body.address === two.product.url, answer)
  const there = await signIn(two, two.organisation.chief)
  expectThat('the same name and password open the right one', there.status === 200, there)
}

async function refuseAlike({ one, two }: TwoCells) {
  const names = { here: one.organisation.chief, elsewhere: two.organisation.chief, nowhere: 'nobody@nowhere.test' }
  const found: Record<string, { answers: string[]; ms: number }> = {}
  for (const [where, name] of Object.entries(names)) {
    const tries = await Promise.all(Array.from({ length: 5 }, () => signIn(one, name, 'not this one')))
    const answers = tries.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
    found[where] = { answers: [...new Set(answers)], ms: Math.round(median(tries.map(({ ms }) => ms))) }
  }
  const all = new Set(Object.values(found).flatMap(({ answers }) => answers))
  const times = Object.values(found).map(({ ms }) => ms)
  expectThat('a wrong password gets one answer, whether the name is here, elsewhere or nowhere', all.size === 1, found)
  expectThat(
    `and after the same time: ${times.join(', ')} ms`,
    Math.min(...times) >= 2_000 && Math.max(...times) - Math.min(...times) < 300,
    found,
  )
}

async function sendLink({ one, two }: TwoCells) {
  const typed = two.organisation.floor1Mobile
  const phone = `61${typed.slice(1)}`
  const answer = await post(one.product.url, loginByMobile.path, { phone })
  const textsIn = async ({ product }: Cell) => {
    const { rows } = await product.pool.query<{ body: string }>(
      'select body from simulated_text where to_mobile = $1',
      [phone],
    )
    return rows.map(({ body }) => body)
  }
  const texts = await until(
    () => textsIn(two),
    (found) => found.length > 0,
  )
  const isLink = texts[0]?.includes(`${two.product.url}/login#token=`) === true
  expectThat('a link that is asked at the wrong cell is texted by the right one', isLink, { answer, texts })
  expectThat('and by no other', (await textsIn(one)).length === 0)
}

async function goWithoutDirectory({ one, two, directory }: TwoCells) {
  await directory.kill()
  for (const cell of [one, two]) {
    const own = await signIn(cell, cell.organisation.deputy)
    expectThat('without the directory a cell signs its own people in', own.status === 200, own)
  }
  const other = await signIn(one, two.organisation.chief)
  expectThat('and knows no one else', other.status === 400 && other.ms >= 2_000, other)
  await directory.start()
  const again = await until(
    () => signIn(one, two.organisation.chief),
    ({ status }) => status === 409,
  )
  expectThat('the directory is full again soon after it is back', again.body.address === two.product.url, again)
}

async function goWithoutOther({ one, two }: TwoCells) {
  await two.product.node.kill()
  const own = await signIn(one, one.organisation.chief)
  expectThat('a cell that was killed leaves the other untouched', own.status === 200 && own.ms < 2_000, own)
  const other = await signIn(one, two.organisation.chief)
  expectThat('and its people are unknown there', other.status === 400, other)
  await two.product.node.start()
  const back = await signIn(one, two.organisation.chief)
  expectThat('until it is back', back.body.address === two.product.url, back)
}
