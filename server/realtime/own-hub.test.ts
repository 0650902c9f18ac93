import { describe } from 'vitest'
import { type Stage, testClients } from './client-suite.fixture.ts'
import { openJournal, serve } from './feed/feed.fixture.ts'
import { tokenFor } from './hub/hub.fixture.ts'

describe('LIVE-09 with the own hub', () => {
  testClients(open)
})

async function open(): Promise<Stage> {
  const journal = await openJournal()
  const server = await serve(journal)
  return {
    journal,
    url: server.url,
    announce: () => server.feed.announce(),
    tokensOf: async (sub, channels, seconds) => ({
      token: await tokenFor(sub, channels, seconds?.first),
      getToken: () => tokenFor(sub, channels),
    }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
    },
  }
}
