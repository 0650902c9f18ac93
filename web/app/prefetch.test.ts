import { expect, test, vi } from 'vitest'
import { flags } from '../testing/stored-auth.ts'
import { allowedOf, prefetch } from './prefetch.ts'
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

test('AAR-36 the pages of the records are fetched ahead only where their flag is held', () => {
  const page = screen(vi.fn())
  const screens = { '/reportin': page, '/floor/evacuation': page, '/event/records': page }

  const warden = allowedOf(screens, { module_access: flags('Module_Floor_Evacuation') })
  expect(Object.keys(warden)).toEqual(['/reportin', '/floor/evacuation'])
  const reader = allowedOf(screens, { module_access: flags('Module_Event_Records') })
  expect(Object.keys(reader)).toEqual(['/reportin', '/event/records'])
})
