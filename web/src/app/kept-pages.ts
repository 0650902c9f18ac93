import { browser } from '../lib/browser.ts'
import { toast } from '../ui/toast.tsx'

/** The server writes the version of the app into the page. */
const versionIn = (html: string) => /<meta name="version" content="([^"]+)"/.exec(html)?.[1]
const ownVersion = () => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content

/** Milliseconds. Long enough to finish what one is doing. */
const toldFor = 20_000

/**
 * UX-70: puts the page of each address into the browser's own cache, for a day, so that it opens without signal. Only with
 * the version that is running: its files and its stored reads are on this phone, those of a newer version are not. Tells
 * when there is a newer one.
 */
export async function keepPages(addresses: readonly string[]) {
  const own = ownVersion()
  const there = own && (await readVersion())
  if (!there) return
  if (there !== own) return tellOfNewer()
  // one after the other: what the warden does goes first
  for (const address of addresses) await read(address, 'no-cache')
}

const readVersion = async () => versionIn((await read('/', 'no-store')) ?? '')

/** The text of the page. Undefined without signal. */
async function read(address: string, cache: RequestCache): Promise<string | undefined> {
  const answer = await fetch(address, { cache, priority: 'low' }).catch(() => undefined)
  // a body that is not read may not be kept
  return answer?.ok ? answer.text().catch(() => undefined) : undefined
}

const tellOfNewer = () =>
  toast('A newer version is there.', {
    slot: 'version',
    delay: toldFor,
    action: { label: 'Reload', onAct: () => void browser.reloadWhenReachable() },
  })
