import { useSyncExternalStore } from 'react'
import type { AuthReply, getProfile, rejoin } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid } from '#kernel/ids.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import type { SignInMethod } from '#kernel/vocabulary.ts'
import { phoneStorage } from '../lib/phone-storage.ts'
import { noteUnsaved } from '../lib/unsaved.ts'
import { type EventFlags, noEventFlags } from './event-flags.ts'

/** Details of the chosen card, for the assignment and withdraw screens. Dates are 'YYYY-MM-DD'. */
export interface ReportInDetails {
  clientSite: string
  role: string
  area: string
  dateFrom: string
  dateTo: string
}

/** Local storage key `auth`: the login reply with additions of this phone. */
export interface StoredAuth extends AuthReply {
  /** The complete Authorization header: token type, space, token. */
  access_token: string
  signInMethod: SignInMethod
  isReportInToken: boolean
  reportInDetails: ReportInDetails | null
  /**
   * The assignment of the details. Going back in the browser's history must not show them above another card's Accept
   * button.
   */
  reportInDetailsOf: AssignmentUid | null
  event: EventFlags
  /** A rejoin that was sent and not yet answered. It may have ended the access token above. */
  rejoining?: { key: string; body: CallInput<typeof rejoin>['body'] } | undefined
}

/** Local storage key `me`. */
export type StoredProfile = ReturnType<typeof profileFrom>

/**
 * `lockStartTime` survives a logout, otherwise logging out would lift the lock. `device` survives too.
 */
export const storageKeys = {
  auth: 'auth',
  me: 'me',
  lockStartTime: 'lockStartTime',
  device: 'device',
  /** When this browser asked for a sign-in link, and that its session waits for a touch. */
  linkAskedAt: 'linkAskedAt',
  unproved: 'unproved',
} as const

export const profileFrom = (reply: CallReply<typeof getProfile>) => ({
  firstname: reply.Firstname,
  lastname: reply.Lastname,
  email: reply.Email,
  mobile: reply.Mobile,
  client_master: reply.Is_Client_Master,
  client_uid: reply.Client_UID,
  primary_floor_uid: reply.Primary_Location_Floor_UID,
})

/** First and last name, or the one name that someone has. */
export const nameOf = ({ firstname, lastname }: StoredProfile): string => `${firstname} ${lastname}`.trim()

/** Storage events reach other tabs only, so this tab notifies itself. */
const listeners = new Set<() => void>()
const tell = () => {
  noteUnsaved('session', !phoneStorage.isSaved(storageKeys.auth))
  for (const listener of listeners) listener()
}

/** Calls the listener on every change of the stored values, in any tab. Returns a function that stops. */
export function onAuth(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Reads a key as JSON. Parses only when the text has changed, so that React sees a stable object. */
function reader<T>(key: string, isWhole: (value: Partial<T>) => boolean) {
  let last: { text: string | null; value: T | null } = { text: null, value: null }
  return (): T | null => {
    const text = phoneStorage.get(key)
    if (text !== last.text) last = { text, value: parse(text, isWhole) }
    return last.value
  }
}

function parse<T>(text: string | null, isWhole: (value: Partial<T>) => boolean): T | null {
  try {
    const value = JSON.parse(text ?? 'null')
    return value && isWhole(value) ? value : null
  } catch {
    return null
  }
}

export const getAuth = reader<StoredAuth>(storageKeys.auth, (auth) => Boolean(auth.access_token && auth.module_access))
export const getStoredProfile = reader<StoredProfile>(storageKeys.me, (me) => 'client_uid' in me)

export const useAuth = () => useSyncExternalStore(onAuth, getAuth)
export const useStoredProfile = () => useSyncExternalStore(onAuth, getStoredProfile)

export function setAuth(auth: StoredAuth) {
  phoneStorage.set(storageKeys.auth, JSON.stringify({ ...auth, event: auth.event ?? noEventFlags }))
  tell()
}

/**
 * Changes parts of the stored auth. Does nothing without stored auth, so that a late reply cannot bring a session back.
 */
export function updateAuth(patch: Partial<StoredAuth>) {
  const auth = getAuth()
  if (auth) setAuth({ ...auth, ...patch })
}

export function setProfile(profile: StoredProfile) {
  phoneStorage.set(storageKeys.me, JSON.stringify(profile))
  tell()
}

/** Clears what a logout, a 401 or a broken start clears. */
export function clearAuth() {
  for (const key of ['auth', 'me', 'linkAskedAt', 'unproved'] as const) phoneStorage.remove(storageKeys[key])
  tell()
}

/**
 * The token by which the server recognises this phone at sign-in. It grants nothing, and a phone without it can sign in
 * too.
 */
export const getDevice = () => phoneStorage.get(storageKeys.device)
export function keepDevice(device: string | null) {
  if (device) phoneStorage.set(storageKeys.device, device)
}
/** A logout clears everything stored. */
export const forgetDevice = () => phoneStorage.remove(storageKeys.device)
