import { browser } from '../lib/browser.ts'
import { phoneStorage } from '../lib/phone-storage.ts'
import { toast } from '../ui/toast.tsx'

/** The server writes the version of the app into the page. */
const versionIn = (html: string) => /<meta name="version" content="([^"]+)"/.exec(html)?.[1]
const ownVersion = () => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content

/** Milliseconds. Long enough to finish what one is doing. */
const toldFor = 20_000

/** Milliseconds for which the pages are not asked for again. The rest of their day is longer than a session. */
const freshFor = 6 * 3_600_000
/** Of which version this phone keeps the pages, and since when by the server's clock. */
const key = 'pages'
/** Milliseconds between two pages, at most: the phones of all wardens start when an event starts. */
const pauseUpTo = 10_000

/**
 * Puts the page of each address into the browser's own cache, for a day, so that it opens without signal. The page
 * that is open goes first. Only with the version that is running: its files and its stored reads are on this phone, those
 * of a newer version are not. Tells when there is a newer one.
 */
export async function keepPages(addresses: readonly string[]) {
  const own = ownVersion()
  const now = own ? await read('/', 'no-store') : undefined
  if (!now?.version) return
  if (now.version !== own) return tellOfNewer()
  const [version, at] = phoneStorage.get(key)?.split(' ') ?? []
  if (version === own && now.at - Number(at) < freshFor) return
  for (const address of new Set([location.pathname, ...addresses])) {
    if (!(await read(address, 'no-cache'))) return
    await new Promise((go) => setTimeout(go, Math.random() * pauseUpTo))
  }
  phoneStorage.set(key, `${own} ${now.at}`)
}

/** A page: its version, and by the server's clock when it left. Undefined without signal. */
async function read(address: string, cache: RequestCache) {
  const answer = await fetch(address, { cache, priority: 'low' }).catch(() => undefined)
  // an address that is no page is answered with the page of the app, too
  if (!answer?.ok && answer?.status !== 404) {
    await answer?.body?.cancel()
    return undefined
  }
  // a body that is not read may not be kept, and its request never ends
  const html = await answer.text().catch(() => '')
  return { version: versionIn(html), at: Date.parse(answer.headers.get('date') ?? '') }
}

const tellOfNewer = () =>
  toast('A newer version is available.', {
    slot: 'version',
    delay: toldFor,
    action: { label: 'Reload', onAct: () => void browser.reloadWhenReachable() },
  })
