import { setTimeout as delay } from 'node:timers/promises'
import type { Static, TSchema } from 'typebox'
import type { Cells, Services } from '#server/http/services.ts'
import type { Network } from '#server/platform/network.ts'
import { Accepted, Fits, LinkReply, type Question } from './cell-questions.ts'

type Asking = Pick<Services, 'cells'>
type LinkSent = NonNullable<Static<typeof LinkReply>['reply']>

/**
 * The address of the cell that the password opens. Undefined if there is none, or none that answers in time: to a person who comes to
 * the wrong address all of these are the same.
 */
export async function findByPassword(
  { cells }: Asking,
  name: string,
  password: string,
  network: Network,
): Promise<string | undefined> {
  const answers = await askWhoHas(cells, 'login', name, { what: 'password', name, password, network }, Fits)
  return answers.find(({ answer }) => answer.fits)?.address
}

/** What the cell that knows the number says. Undefined if it is unknown everywhere. */
export async function sendLinkElsewhere(
  { cells }: Asking,
  phone: string,
  network: Network,
): Promise<LinkSent | undefined> {
  const answers = await askWhoHas(
    cells,
    'mobile',
    phone.replace(/^\+/, ''),
    { what: 'link', phone, network },
    LinkReply,
  )
  return answers.find(({ answer }) => answer.reply)?.answer.reply ?? undefined
}

/** Lets the cells that have the address mail a link for a new password. */
export async function sendResetElsewhere({ cells }: Asking, email: string, network: Network): Promise<void> {
  await askWhoHas(cells, 'login', email, { what: 'reset', email, network }, Accepted)
}

/** The answers that came in time. Nothing that goes wrong on the way changes a sign-in here. */
async function askWhoHas<T extends TSchema>(
  cells: Cells | undefined,
  kind: 'login' | 'mobile',
  name: string,
  question: Question,
  answer: T,
): Promise<{ address: string; answer: Static<T> }[]> {
  if (!cells) return []
  const late = delay(cells.patienceMs, [], { ref: false })
  const asked = async () => {
    const addresses = await cells.find(kind, name)
    const answers = addresses.map(async (address) => [{ address, answer: await cells.ask(address, question, answer) }])
    return (await Promise.all(answers.map((one) => one.catch(() => [])))).flat()
  }
  return Promise.race([asked().catch(() => []), late])
}
