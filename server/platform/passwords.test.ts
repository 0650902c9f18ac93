import { expect, test } from 'vitest'
import { passwordsBy } from './passwords.ts'

test('T9 LOGIN-37 when too many sign in, the next one gets 503, and later an unknown name looks like any other', async () => {
  const cores = Promise.withResolvers<void>()
  const { hashPassword, verifyNobody } = passwordsBy({
    hash: () => cores.promise.then(() => 'a hash'),
    verify: () => cores.promise.then(() => false),
  })
  const signIns = Array.from({ length: 2_002 }, () => hashPassword('evacuate1'))
  const later = { code: 'unavailable', status: 503 }
  await expect(hashPassword('evacuate1')).rejects.toMatchObject(later)
  await expect(verifyNobody('evacuate1')).rejects.toMatchObject(later)

  cores.resolve()
  await Promise.all(signIns)

  expect(await verifyNobody('evacuate1')).toBe(false)
})
