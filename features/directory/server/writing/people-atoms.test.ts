import { expect, test } from 'vitest'
import type { AccountChanges } from '../accounts/table-accounts.ts'
import { peopleAtoms } from './people-atoms.ts'

const account = (uid: string, mobile: string | null) => ({
  uid,
  email: null,
  username: null,
  mobile,
  passwordHash: null,
  importedPasswordHash: null,
})
const held = (uid: string, mobile: string) => ({ ...account(uid, mobile), people: [], staff: [] })
const update = (uid: string, mobile: string) => ({ ...account(uid, mobile), heldPasswordHash: null })
const changes = (over: Partial<AccountChanges>): AccountChanges => ({
  created: [],
  updated: [],
  unchanged: 0,
  released: [],
  accountOf: new Map(),
  ...over,
})
const person = (uid: string) => ({ uid }) as never

test('F37 accounts among which mobiles pass change in one transaction, however many, and others apart', () => {
  const existing = [held('a', '1'), held('b', '2'), held('c', '3'), held('left', '4')]
  const updated = [update('a', '2'), update('b', '1'), update('c', '4'), update('d', '9')]

  const atoms = peopleAtoms(
    { added: [], changed: [] },
    [],
    changes({ updated, released: ['a', 'b', 'left'] }),
    existing,
  )

  const uids = atoms.map((atom) => [...new Set([...atom.released, ...atom.updated.map(({ uid }) => uid)])].sort())
  expect(uids.sort()).toEqual([['a', 'b'], ['c', 'left'], ['d']])
})

test('F37 a new account comes with its person', () => {
  const created = [account('a', '1'), account('b', '2')]
  const accountOf = new Map([
    ['p', 'a'],
    ['q', 'b'],
  ])

  const atoms = peopleAtoms(
    { added: [person('p'), person('r')], changed: [] },
    [{ uid: 'q', accountUid: 'b' }],
    changes({ created, accountOf }),
    [],
  )

  expect(atoms).toMatchObject([
    { created: [{ uid: 'a' }], added: [{ uid: 'p' }], links: [] },
    { created: [{ uid: 'b' }], added: [], links: [{ uid: 'q' }] },
    { created: [], added: [{ uid: 'r' }], links: [] },
  ])
})
