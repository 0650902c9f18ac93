import { openGateways } from '#features/texts/server/gateways/gateways.ts'
import { sendDueTexts, type TextSending } from '#features/texts/server/sms.service.ts'
import { textSources } from '../link-sources.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { secretKey, type TestServer } from './test-server.ts'

/** The worker's part, run when the test says so: everything that is due goes to the phones of the simulator. */
export async function sendTexts(
  { db, app, config }: TestServer,
  over: Partial<TextSending> = {},
  stopping?: AbortSignal,
): Promise<void> {
  const sending: TextSending = {
    system: db,
    gateway: openGateways(app, config),
    ...textSources(db, deriveSecrets(secretKey)),
    appUrl: config.appUrl,
    budgets: config.smsBudgets,
    onTrouble: (error) => {
      throw error
    },
    ...over,
  }
  await sendDueTexts(sending, stopping)
}

/** What a simulated phone shows, oldest first. */
export async function textsOn({ db }: TestServer, mobile: string | null): Promise<string[]> {
  const texts = await db
    .selectFrom('simulatedText')
    .select('body')
    .where('toMobile', '=', mobile)
    .orderBy('receivedAt')
    .execute()
  return texts.map(({ body }) => body)
}

/** The token of the link in a text. */
export const tokenIn = (text: string | undefined): string => /[tT]oken=([\w-]+)$/.exec(text ?? '')?.[1] ?? 'no link'
