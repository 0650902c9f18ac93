import { expect, test } from 'vitest'
import { storedAuth } from '../testing/stored-auth.ts'
import { noteEventKind } from './event-kind.ts'
import { getAuth, setAuth } from './stored-auth.ts'

test('KIND-08 an answer that says nothing of the kind leaves what the phone knows', () => {
  setAuth(storedAuth())
  noteEventKind('drill')
  noteEventKind(undefined)
  expect(getAuth()?.event_kind).toBe('drill')
  noteEventKind(null)
  expect(getAuth()?.event_kind).toBeNull()
})
