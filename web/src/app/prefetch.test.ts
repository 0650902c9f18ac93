import { expect, test, vi } from 'vitest'
import { prefetch } from './prefetch.ts'
import { screen } from './screen.tsx'

test('UI a page whose file does not arrive is left alone, and can be opened once there is signal', async () => {
  const meta = Object.assign(document.createElement('meta'), { name: 'page-files' })
  meta.content = JSON.stringify({ '/reportin': { files: ['a.js'] }, '/me/role': { files: ['b.js', 'c.js'] } })
  document.head.append(meta)
  const [reportIn, role, list] = [vi.fn(), vi.fn(), vi.fn()]
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/c.js') throw new TypeError('Failed to fetch')
    return new Response('')
  })

  await prefetch({ '/reportin': screen(reportIn), '/me/role': screen(role), '/reportinlist': screen(list) })

  expect([reportIn, role, list].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1])
  meta.remove()
})
