import { expect } from 'vitest'
import { sendToEvacuee } from '#features/messaging/calls/messaging.ts'
import { conversation, replyFrom, toPerson, withEvacuee } from '#features/messaging/server/messaging.fixture.ts'
import { receiveReply } from '#features/messaging/server/receive-reply.service.ts'
import { test } from '../../testing/server-test.ts'
import { hardText, hardTexts } from './hard-values.fixture.ts'
import { Random } from './random.fixture.ts'

const count = process.env.FUZZ_REQUESTS ? 400 : 20
const seed = Number(process.env.FUZZ_SEED ?? 1)

test(`AMB-129 API-72 hard replies by text under seed ${seed} are shown as they came`, {
  timeout: 60_000 + count * 500,
}, async ({ server }) => {
  const at = await conversation(server)
  const random = new Random(seed)
  await at.asAnn(sendToEvacuee, toPerson(at))
  const replies = [...hardTexts, ...Array.from({ length: count }, () => hardText(random))].map(
    (text, nth) => `${nth} ${text}`,
  )

  for (const [nth, text] of replies.entries()) {
    await replyFrom(server, at.mobile, text)
    const fromNumber = random.pick(['+61491579999', '１２３', '61491570006', '+', '\u202e', text.slice(0, 20)])
    await receiveReply(server.app, { providerId: `hard:${seed}:${nth}`, fromNumber, text })
  }

  const { messages } = await withEvacuee(at.asAnn, at.person)
  const shown = messages.map(({ text }) => text)
  // the database stores neither NUL nor half a character
  const stored = replies.map((text) => text.replaceAll('\0', '').slice(0, 1600).toWellFormed())
  expect(stored.filter((text) => !shown.includes(text))).toEqual([])
})
