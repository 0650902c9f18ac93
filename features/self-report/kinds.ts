/** Closed lists and limits of what occupants say of themselves. This file has no schema, because the browser imports it. */

/** By a personal link, by the site's poster, by a text from a phone, or by a key pressed in a call. */
export const reportWays = ['link', 'poster', 'text', 'call'] as const

export type ReportWay = (typeof reportWays)[number]

/** What the page's form sends. */
export const formSays = ['safe', 'help'] as const

export type FormSays = (typeof formSays)[number]

/** 'words': a text that a warden has to read. */
export const reportSays = [...formSays, 'words'] as const

export type ReportSays = (typeof reportSays)[number]

/** A text sets no one safe as a report. */
export type TextSays = Exclude<ReportSays, 'safe'>

/** 'accepted': a person was recorded from it. 'answered': someone goes. */
export const reportStates = ['open', 'accepted', 'dismissed', 'answered', 'false'] as const

export type ReportState = (typeof reportStates)[number]

/** What a warden does with an open report: 'answered' and 'false' are of a call for help, 'dismiss' of any other. */
export const reportActs = ['accept', 'dismiss', 'answered', 'false'] as const

export const reportLimits = {
  /** Characters of the form. */
  words: 100,
  name: 100,
  mobile: 30,
  /** Characters of who goes. */
  who: 60,
  /** Reports that 'Accept all' takes at most. */
  acceptAll: 500,
  /** The screen waits so long before it sends 'Accept all', ms. 'Undo' takes it back. */
  undoMs: 10_000,
  /** Reports that 'Dismiss all' takes in one request at most. */
  dismissAll: 1000,
  /** More open reports of one line, home or site are one entry. */
  ofOneNetwork: 20,
  /** More of them within two minutes that name people are, too. */
  namingAtOnce: 5,
  namingAtOnceMs: 120_000,
  /** Open reports of an event that say safe, and as many calls for help, and how many of them one site may fill. */
  ofEvent: 5000,
  ofSite: 1000,
  /** Further ones of each, a few of each site. */
  furtherOfSite: 3,
  furtherOfEvent: 20_000,
  /** Characters of the texts of one number, the newest. */
  text: 1900,
  /** Unknown numbers of an event that call for help, and as many others. */
  unknownNumbers: 200,
  /** Further numbers are counted up to this. */
  moreNumbers: 5000,
} as const

/** What a message or a template may hold for each recipient's personal link, and the characters of its code. */
export const linkPlaceholder = '{link}'

export const linkCodeLength = 16

export const posterCodeLength = 8

/** In place of a floor: the reports that name none. */
export const noFloor = 'none'
