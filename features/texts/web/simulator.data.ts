import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/session/api.ts'

/** Texts arrive while one looks. */
export const pollEvery = 2000
/** A phone rings at once. */
const ringsEvery = 1000
/** They hold sign-in links: nothing of them stays in this browser. */
const meta = { private: true }

export const phonesQuery = (search: string) =>
  queryOptions({
    queryKey: ['simulator', 'phones', search],
    queryFn: ({ signal }) => call('GET /api/simulator/phones', { query: { ...(search && { search }) } }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  })

export const textsQuery = (mobile: string) =>
  queryOptions({
    queryKey: ['simulator', 'texts', mobile],
    queryFn: ({ signal }) => call('GET /api/simulator/texts', { query: { mobile } }, { signal }),
    refetchInterval: pollEvery,
    meta,
  })

export const ringingQuery = (mobile: string) =>
  queryOptions({
    queryKey: ['simulator', 'call', mobile],
    queryFn: ({ signal }) => call('GET /api/simulator/call', { query: { mobile } }, { signal }),
    refetchInterval: ringsEvery,
    meta,
  })

/** Where a real mail server sends them, there are none here. */
export const mailsQuery = (mobile: string) =>
  queryOptions({
    queryKey: ['simulator', 'mails', mobile],
    queryFn: ({ signal }) => call('GET /api/simulator/mails', { query: { mobile } }, { signal }),
    refetchInterval: pollEvery,
    meta,
  })

/** Where there is no demo, there are none. */
export const codesQuery = queryOptions({
  queryKey: ['simulator', 'codes'],
  queryFn: ({ signal }) => call('GET /api/simulator/codes', {}, { signal }),
  refetchInterval: pollEvery,
  meta,
})
